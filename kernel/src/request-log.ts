import type { Logger } from "@longbox/sdk";
import type { RequestObserver } from "./http/routing/dispatcher.js";

/** Writes requests that failed, and in debug logs the others too. */
export function requestObserver(log: Logger): RequestObserver {
  return {
    answered: ({ id: requestId, method, path }, status, milliseconds) =>
      log.debug(`${method} ${path}`, { requestId, status, milliseconds }),
    failed: ({ id: requestId, method, path }, thrown) =>
      log.error(`${method} ${path} failed.`, {
        requestId,
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      }),
  };
}

import type { Logger } from "@longbox/sdk";
import type { SlowWork } from "./measuring/slow-work.js";
import type { Traces } from "./measuring/traces.js";
import type { UseOfOwners } from "./measuring/use-of-owners.js";
import type { RequestObserver } from "./http/routing/dispatcher.js";

/** Where requests and queries are measured. */
export interface Measures {
  readonly use: UseOfOwners;
  readonly slow: SlowWork;
  readonly traces: Traces;
}

/**
 * Writes requests that failed or were slow, in debug logs the others too, and counts and traces them for their plugin.
 */
export function requestObserver(log: Logger, { use, slow, traces }: Measures): RequestObserver {
  return {
    answered(request, status, milliseconds) {
      const { id, method, path, route, owner } = request;
      traces.answered(request, status, milliseconds);
      use.answered(owner, status, milliseconds);
      slow.answered(owner, { id, route: `${method} ${route}`, path: `${method} ${path}` }, milliseconds);
      log.debug(`${method} ${path}`, { requestId: id, status, milliseconds });
    },
    failed: ({ id: requestId, method, path }, thrown) =>
      log.error(`${method} ${path} failed.`, {
        requestId,
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      }),
  };
}

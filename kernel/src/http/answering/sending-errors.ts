import { isLongboxError, LongboxError } from "@longbox/sdk";
import { apiHeaders } from "./headers.js";
import type { Exchange } from "../routing/route-call.js";
import { statusOf } from "../statuses.js";

/** The error that a client may see: a LongboxError as it is, and no details of anything else. */
export function presentable(thrown: unknown, requestId: string): LongboxError {
  if (isLongboxError(thrown)) return thrown;
  if (thrown instanceof Error && (thrown as NodeJS.ErrnoException).code === "ENOSPC") {
    return new LongboxError(
      "storage-full",
      "kernel/storage-full",
      "The disk is full; nothing was changed.",
      undefined,
      { cause: thrown },
    );
  }
  return new LongboxError(
    "internal",
    "kernel/internal",
    `Internal error. The server's log has details under ${requestId}.`,
    { requestId },
    { cause: thrown },
  );
}

/** Sends an error. When the answer has begun already, all that can be done is to cut it off. */
export function sendError(
  exchange: Exchange,
  error: LongboxError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { request, response } = exchange;
  if (response.headersSent) return void response.destroy();
  const details = error.details === undefined ? {} : { details: error.details };
  const body = JSON.stringify({ ...error.body, error: error.message, code: error.code, ...details });
  response.writeHead(statusOf[error.kind] ?? statusOf.internal, {
    ...apiHeaders,
    "X-Request-Id": exchange.id,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...retryAfter(error),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** When to come back, if the error says so. */
export function retryAfter({ retryAfterSeconds }: LongboxError): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) };
}

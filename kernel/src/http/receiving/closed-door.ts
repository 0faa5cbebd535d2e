// The network side while the kernel cannot be put together.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LongboxError } from "@longbox/sdk";
import { createServer } from "../../node-http.js";
import { apiHeaders } from "../answering/headers.js";
import { retryAfter } from "../answering/sending-errors.js";
import { statusOf } from "../statuses.js";
import type { ListenPlace } from "./listen-place.js";

export interface ClosedDoor {
  /** Such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Takes no further connections, and settles once those that were taken have their answers. */
  close(): Promise<void>;
}

/** Answers every request with this error. */
export async function answerWith(error: LongboxError, place: ListenPlace): Promise<ClosedDoor> {
  const server = createServer((request, response) => sendErrorAlone(error, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/**
 * Answers a request with an error, where no kernel does, and closes the connection: the next request is for another
 * process.
 */
export function sendErrorAlone(error: LongboxError, request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: error.message, code: error.code });
  request.resume();
  response.writeHead(statusOf[error.kind], {
    ...apiHeaders,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    Connection: "close",
    ...retryAfter(error),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

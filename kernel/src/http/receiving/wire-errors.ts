import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { STATUS_CODES } from "../../node-http.js";
import { apiHeaders } from "../answering/headers.js";
import { status } from "../statuses.js";

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly error: string;
}

/** The error of Node's parser, with the bytes that it read last. */
type BrokenRequest = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const malformed: Refusal = {
  status: status.malformed,
  code: "kernel/request-malformed",
  error: "This is not a well-formed HTTP request.",
};
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: status.headersTooLarge,
    code: "kernel/headers-too-large",
    error: "The headers of the request are too large.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: status.tooLarge,
    code: "kernel/body-too-large",
    error: "The chunk extensions of the body are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: status.timeout,
    code: "kernel/request-too-slow",
    error: "The request took too long to arrive.",
  },
};

/** Answers bytes that never became a request, as other errors are answered, and closes the connection. */
export function refuseBytes(failure: BrokenRequest, socket: Duplex): void {
  const isHead = failure.rawPacket?.subarray(0, 5).toString("latin1") === "HEAD ";
  refuse(socket, refusals[failure.code ?? ""] ?? malformed, isHead);
}

/** Answers CONNECT, for which Node makes no response: this is no proxy. */
export function refuseTunnel(socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  refuse(socket, { status: status.wrongMethod, code: "kernel/wrong-method", error: "CONNECT is not supported." });
}

/** Answers a request that names no host, or several. */
export function refuseWithoutHost(response: ServerResponse): void {
  answer(response, { ...malformed, error: "A request must have one Host header." });
}

/** Answers a request that expects more of the server than to wait for its body. */
export function refuseExpectation(response: ServerResponse): void {
  answer(response, {
    status: status.expectationFailed,
    code: "kernel/unknown-expectation",
    error: "The only supported expectation is 100-continue.",
  });
}

function answer(response: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal);
  response.writeHead(refusal.status, headersFor(body)).end(response.req.method === "HEAD" ? undefined : body);
}

function refuse(socket: Duplex, refusal: Refusal, isHead = false): void {
  if (!socket.writable) return void socket.destroy();
  const body = bodyOf(refusal);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${isHead ? "" : body}`, () => socket.destroy());
}

const bodyOf = ({ error, code }: Refusal) => JSON.stringify({ error, code });

function headersFor(body: string): Record<string, string | number> {
  return {
    ...apiHeaders,
    "X-Request-Id": `wire-${randomBytes(6).toString("hex")}`,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    Connection: "close",
  };
}

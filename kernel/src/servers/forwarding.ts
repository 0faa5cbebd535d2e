import type { Agent, IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { plainAddress } from "../access/identifying/client.js";
import { status } from "../http/statuses.js";
import { request as ask } from "../node-http.js";
import { holdAnswer } from "./held-parts.js";
import type { LeaderNote } from "./leader-note.js";
import { peerAddressHeader, peerHeader } from "./peers.js";

/**
 * What became of a request: it has its answer; the leader has not seen it; or it may have been carried out, and there
 * is no answer.
 */
type Outcome = "answered" | "not-taken" | "unknown";

export interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The whole body; undefined when it is read while it is sent. */
  readonly body: Buffer | undefined;
}

interface ForwardingParts {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Added to the answer. */
  readonly headers: readonly string[];
}

/** Headers that concern one connection, RFC 9110, section 7.6.1; and those that servers send each other. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  peerHeader,
  peerAddressHeader,
]);

/** Sends a request to the leader, and its answer to the client. */
export function forward(forwarded: Forwarded, leader: LeaderNote, parts: ForwardingParts): Promise<Outcome> {
  const { request, response, body } = forwarded;
  const { hostname, port } = new URL(leader.url);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let isSent = false;
  const asked = ask({
    agent: parts.agent,
    signal: parts.signal,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    method: request.method,
    path: request.url,
    setHost: false,
    headers: headersFor(forwarded, leader),
  });
  const send = () => {
    isSent = true;
    if (body === undefined) request.pipe(asked);
    else asked.end(body);
  };
  asked.once("socket", (socket) => void (socket.connecting ? socket.once("connect", send) : send()));
  asked.on("error", () => resolve(isSent ? "unknown" : "not-taken"));
  asked.once("response", (answer) => relay(forwarded, answer, parts).then(resolve, () => resolve("unknown")));
  const gone = () => asked.destroy();
  response.once("close", gone);
  return promise.finally(() => response.off("close", gone));
}

function headersFor({ request, body }: Forwarded, { secret }: LeaderNote): string[] {
  return [
    ...endToEnd(request.rawHeaders),
    ...framing(request, body),
    peerHeader,
    secret,
    peerAddressHeader,
    plainAddress(request.socket.remoteAddress),
  ];
}

/** Where the body ends, unless the client has said its length. */
function framing({ headers, method }: IncomingMessage, body: Buffer | undefined): string[] {
  if (headers["content-length"] !== undefined) return [];
  if (body === undefined) return ["Transfer-Encoding", "chunked"];
  // Node would announce a body.
  return withoutBody.has(method!) ? [] : ["Content-Length", "0"];
}

const withoutBody = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** @throws {Error} when the answer is cut off before anything of it was sent */
async function relay({ request, response, body }: Forwarded, answer: IncomingMessage, { headers }: ForwardingParts) {
  if (answer.statusCode === status.misdirected) {
    answer.resume();
    return body === undefined ? "unknown" : "not-taken";
  }
  const isStream = /^text\/event-stream\b/.test(answer.headers["content-type"] ?? "");
  const held = isSafe(request) && !isStream ? await holdAnswer(answer) : undefined;
  response.sendDate = false;
  response.writeHead(answer.statusCode!, answer.statusMessage, [...endToEnd(answer.rawHeaders), ...headers]);
  if (held && !held.goesOn) response.end(held.start);
  else {
    response.flushHeaders();
    if (held) response.write(held.start);
    // When one side is cut off, the other learns of it; nothing else can be done once the answer has begun.
    await new Promise<void>((resolve) => pipeline(answer, response, () => resolve()));
  }
  return "answered";
}

const isSafe = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !ofConnection.has(rawHeaders[index - (index % 2)]!.toLowerCase()));
}

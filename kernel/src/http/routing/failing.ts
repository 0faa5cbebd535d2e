import { LongboxError, type Challenge, type ProtocolAnswer, type Route } from "@longbox/sdk";
import { asksForPage, sendErrorPage } from "../answering/error-page.js";
import { apiHeaders } from "../answering/headers.js";
import { presentable, retryAfter, sendError } from "../answering/sending-errors.js";
import { statusOf } from "../statuses.js";
import type { CompiledRoute } from "./compiled-route.js";
import type { Found } from "./route-table.js";
import { absoluteUrl, type Exchange } from "./route-call.js";

/** The plugin of a path is being started or upgraded. */
export class NotReady extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "kernel/starting",
      "The plugin of this path is being started or upgraded; try again.",
      undefined,
      {
        retryAfterSeconds: 2,
      },
    );
  }
}

/** The plugin of the request was stopped during the request. */
export class OwnerStopped extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "kernel/stopped",
      "The plugin of this path was stopped during the request; try again.",
      undefined,
      {
        retryAfterSeconds: 1,
      },
    );
  }
}

const isAbort = (thrown: unknown) => thrown instanceof Error && thrown.name === "AbortError";

/** Converts anything thrown to the error for the client. */
export function failureOf(exchange: Exchange, compiled: CompiledRoute | undefined, thrown: unknown): LongboxError {
  if (compiled?.owner.signal.aborted === true && isAbort(thrown)) return new OwnerStopped();
  return presentable(thrown, exchange.id);
}

/** Sends an error in the form that the route's clients expect: a protocol's own, a challenge, a page, or JSON. */
export function answerFailure(exchange: Exchange, compiled: CompiledRoute | undefined, error: LongboxError): void {
  if (compiled?.route.onError !== undefined) return sendProtocolError(exchange, compiled, error);
  if (error.kind === "not-signed-in" && compiled !== undefined) {
    const realm = compiled.route.credentials?.basicRealm;
    if (realm !== undefined) return sendError(exchange, error, { "WWW-Authenticate": basicChallenge(realm) });
    if (compiled.route.acceptsBasic) return sendChallenge(exchange, error, compiled);
  }
  if (compiled?.route.responseType === "text/html" && asksForPage(exchange)) return sendErrorPage(exchange, error);
  sendError(exchange, error);
}

/** Answers an unsupported method with 405, in the format of the route's protocol. */
export function refuseMethod(exchange: Exchange, found: Found<CompiledRoute>): void {
  const error = new LongboxError(
    "wrong-method",
    "kernel/wrong-method",
    `${exchange.request.method} is not allowed here.`,
  );
  exchange.response.setHeader("Allow", [...found.methods.keys()].sort().join(", "));
  answerFailure(
    exchange,
    [...found.methods.values()].find(({ route }) => route.onError !== undefined),
    error,
  );
}

const basicChallenge = (realm: string) => `Basic realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, "")}", charset="UTF-8"`;

/** Asks for HTTP Basic, and says what else the route has to say to a client that is not signed in. */
function sendChallenge(exchange: Exchange, error: LongboxError, { route, owner }: CompiledRoute): void {
  const challenge = route.challenge?.({ url: absoluteUrl(exchange) });
  if (!(challenge instanceof Promise)) return sendChallenged(exchange, error, challenge);
  const fail = (fault: unknown) => {
    owner.reportFault(fault, `the challenge of ${route.method} ${route.path}`);
    sendChallenged(exchange, error, undefined);
  };
  void challenge.catch(fail).then((told) => told && sendChallenged(exchange, error, told));
}

function sendChallenged(exchange: Exchange, error: LongboxError, challenge: Challenge | undefined): void {
  const told = challenge
    ? new LongboxError(error.kind, error.code, error.message, error.details, {
        body: { ...challenge.body, ...error.body },
      })
    : error;
  sendError(exchange, told, { "WWW-Authenticate": basicChallenge("Longbox"), ...challenge?.headers });
}

/** Lets the route's protocol say what an error looks like. When it fails at that, the error is sent as everywhere. */
function sendProtocolError(exchange: Exchange, { route, owner }: CompiledRoute, error: LongboxError): void {
  const fail = (fault: unknown) => {
    owner.reportFault(fault, `the errors of ${route.method} ${route.path}`);
    sendError(exchange, error);
  };
  const send = (answer: ProtocolAnswer) =>
    sendProtocolAnswer(exchange, error, { ...answer, headers: { ...challengeOf(error, route), ...answer.headers } });
  try {
    const { kind, code, message, details, retryAfterSeconds } = error;
    const answer = route.onError!({ kind, code, message, details, retryAfterSeconds, requestId: exchange.id });
    if (answer instanceof Promise) void answer.then(send).catch(fail);
    else send(answer);
  } catch (fault) {
    fail(fault);
  }
}

function challengeOf(error: LongboxError, { credentials }: Route): Record<string, string> {
  const realm = credentials?.basicRealm;
  return error.kind === "not-signed-in" && realm !== undefined ? { "WWW-Authenticate": basicChallenge(realm) } : {};
}

function sendProtocolAnswer(
  { request, response, id }: Exchange,
  error: LongboxError,
  { protocolStatus, headers, body, contentType }: ProtocolAnswer,
): void {
  if (response.headersSent) return void response.destroy();
  const bytes = bytesOf(body, contentType);
  const status = protocolStatus ?? statusOf[error.kind];
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`${status} is no HTTP status that an answer can have.`);
  response.writeHead(status, {
    ...apiHeaders,
    "X-Request-Id": id,
    "Cache-Control": "no-store",
    ...(bytes !== undefined && { "Content-Type": contentType ?? "application/json; charset=utf-8" }),
    "Content-Length": bytes?.length ?? 0,
    ...retryAfter(error),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function bytesOf(body: unknown, contentType: string | undefined): Buffer | undefined {
  if (body === undefined) return undefined;
  if (contentType !== undefined && typeof body === "string") return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

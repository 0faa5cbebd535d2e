import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LongboxError, NotFound, replyKind, type Reply } from "@longbox/sdk";
import type { Grant } from "../access/grant.js";
import type { Identifying } from "../access/identifying.js";
import { AnswerBuffers } from "./answer-buffers.js";
import { checkInput, decodeParameters, readQuery } from "./checking-input.js";
import type { CompiledRoute } from "./compiled-route.js";
import { Compressor } from "./compressing.js";
import { asksForPage, sendErrorPage } from "./error-page.js";
import type { FrontDoor } from "./front-door.js";
import { apiHeaders } from "./headers.js";
import type { Proxies } from "./proxies.js";
import { readBody } from "./reading-bodies.js";
import { absoluteUrl, RouteCall, target, type Exchange } from "./route-call.js";
import type { Found } from "./route-table.js";
import type { Routes } from "./routes.js";
import { sendContent } from "./sending-content.js";
import { presentable, sendError } from "./sending-errors.js";
import { sendJson } from "./sending-json.js";
import { status } from "./statuses.js";

/** What the dispatcher tells of every request that reached a route, or failed. */
export interface RequestObserver {
  answered(id: string, method: string, path: string, status: number, milliseconds: number): void;
  failed(id: string, method: string, path: string, thrown: unknown): void;
}

const reads = new Set(["GET", "HEAD"]);

/** Takes a request from the table of routes to its answer. */
export class Dispatcher {
  readonly #compressor = new Compressor();
  readonly #buffers = new AnswerBuffers();
  readonly #idPrefix = randomBytes(4).toString("hex");
  #requests = 0;

  constructor(
    private readonly routes: Routes,
    private readonly access: Identifying,
    private readonly proxies: Proxies,
    private readonly frontDoor: FrontDoor,
    private readonly observer: RequestObserver,
  ) {}

  /** Never rejects: whatever goes wrong becomes an answer. */
  async dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { path, search } = target(request);
    const exchange: Exchange = { id: `${this.#idPrefix}-${(++this.#requests).toString(36)}`, request, response, client: this.proxies.client(request) };
    const found = this.routes.table.find(path);
    const compiled = found?.methods.get(request.method ?? "");
    const held = compiled?.owner.held;
    if (held !== undefined) {
      await held;
      return this.dispatch(request, response);
    }
    try {
      if (compiled !== undefined) await this.#serve(exchange, compiled, found!, search);
      else if (found !== undefined) sendError(exchange, new LongboxError("wrong-method", "kernel/wrong-method", `${request.method} cannot be used here.`), { Allow: found.allow });
      else if (!this.frontDoor.serve(exchange, path)) throw new NotFound("kernel/no-such-path", "There is nothing at this path.");
    } catch (thrown) {
      this.#fail(exchange, compiled, path, thrown);
    }
    if (compiled === undefined) return;
    const milliseconds = performance.now() - started;
    compiled.tally.add(response.statusCode, milliseconds);
    this.observer.answered(exchange.id, request.method ?? "", path, response.statusCode, milliseconds);
  }

  async #serve(exchange: Exchange, compiled: CompiledRoute, found: Found<CompiledRoute>, search: string): Promise<void> {
    const { route } = compiled;
    const { headers } = exchange.request;
    const identified = this.access.identify(headers, exchange.client, route.acceptsBasic);
    const { grant, cookie } = identified instanceof Promise ? await identified : identified;
    authorise(compiled, grant);
    const isRead = reads.has(exchange.request.method!);
    if (!isRead) this.access.refuseCrossSite(headers, exchange.client, grant);
    if (cookie !== undefined) exchange.response.setHeader("Set-Cookie", cookie);
    const params = route.params && checkInput(route.params, "path", decodeParameters(compiled.names, found.values));
    const query = route.query && checkInput(route.query, "query", readQuery(search));
    const body = route.body === undefined || isRead ? undefined : checkInput(route.body, "body", await readBody(exchange.request, route));
    const call = new RouteCall(exchange, compiled.owner.signal, route.ignoresHideMature ? grant.unnarrowed : grant, params, query, body);
    await compiled.owner.run(async () => this.#send(exchange, await route.handle(call as never)));
  }

  #send(exchange: Exchange, result: unknown): Promise<void> | void {
    const kind = replyKind(result);
    if (kind === undefined) return result === undefined ? sendEmpty(exchange, {}) : sendJson(exchange, status.ok, result, {}, this.#compressor);
    const answer = result as Extract<Reply, Record<symbol, unknown>>;
    if ("content" in answer) return sendContent(exchange, answer.content, answer.options, { compressor: this.#compressor, buffers: this.#buffers });
    if ("value" in answer) return sendJson(exchange, answer.created ? status.created : status.ok, answer.value, answer.headers, this.#compressor);
    if ("location" in answer) return sendRedirect(exchange, answer.location, answer.headers);
    return sendEmpty(exchange, answer.headers);
  }

  #fail(exchange: Exchange, compiled: CompiledRoute | undefined, path: string, thrown: unknown): void {
    const gone = exchange.response.destroyed && !exchange.response.writableFinished;
    const error = compiled?.owner.signal.aborted && isAbort(thrown) ? new OwnerStopped() : presentable(thrown, exchange.id);
    if (error.kind === "internal" && !gone) {
      compiled?.owner.reportFault(thrown, `${compiled.route.method} ${compiled.route.path}`);
      this.observer.failed(exchange.id, exchange.request.method ?? "", path, thrown);
    }
    if (error.kind === "not-signed-in" && compiled?.route.acceptsBasic === true) return sendChallenge(exchange, error, compiled);
    if (compiled?.route.responseType === "text/html" && asksForPage(exchange)) return sendErrorPage(exchange, error);
    sendError(exchange, error);
  }
}

/** What served the request was switched off in the middle of it. */
class OwnerStopped extends LongboxError {
  constructor() {
    super("unavailable", "kernel/stopped", "What answers here was stopped meanwhile; ask again.", undefined, { retryAfterSeconds: 1 });
  }
}

const isAbort = (thrown: unknown) => thrown instanceof Error && thrown.name === "AbortError";

/** The one place that decides: on the matched record, never on a second reading of the URL. */
function authorise(compiled: CompiledRoute, grant: Grant): void {
  if (compiled.isPublic) return;
  if (!grant.signedIn) throw new LongboxError("not-signed-in", "kernel/not-signed-in", "Sign in first, or send an API key.");
  if (compiled.permission === undefined || grant.may(compiled.permission)) return;
  throw new LongboxError("forbidden", "kernel/forbidden", `This needs the permission ${compiled.permission}.`, { permission: compiled.permission });
}

/** Asks for HTTP Basic, and says what else the route has to say to somebody who is not signed in. */
function sendChallenge(exchange: Exchange, error: LongboxError, { route }: CompiledRoute): void {
  const challenge = route.challenge?.({ url: absoluteUrl(exchange) });
  const told = challenge ? new LongboxError(error.kind, error.code, error.message, error.details, { body: { ...challenge.body, ...error.body } }) : error;
  sendError(exchange, told, { "WWW-Authenticate": 'Basic realm="Longbox", charset="UTF-8"', ...challenge?.headers });
}

function sendEmpty(exchange: Exchange, headers: Readonly<Record<string, string>>): void {
  exchange.response.writeHead(status.empty, { ...apiHeaders, "X-Request-Id": exchange.id, "Cache-Control": "no-store", ...headers }).end();
}

function sendRedirect(exchange: Exchange, location: string, headers: Readonly<Record<string, string>>): void {
  exchange.response.writeHead(status.found, { ...apiHeaders, "X-Request-Id": exchange.id, "Cache-Control": "no-store", "Content-Length": 0, Location: location, ...headers }).end();
}


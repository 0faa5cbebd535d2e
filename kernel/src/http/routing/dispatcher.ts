import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LongboxError, NotFound, within, type Route } from "@longbox/sdk";
import { ServerSettingsSource } from "../../access/server-settings.js";
import type { Grant } from "../../access/identifying/grant.js";
import { checkInput, decodeParameters, readQuery } from "./checking-input.js";
import type { CompiledRoute } from "./compiled-route.js";
import { FrontDoor } from "../receiving/front-door.js";
import { Proxies } from "../receiving/proxies.js";
import { readBody } from "../receiving/reading-bodies.js";
import { Replies } from "../answering/sending-replies.js";
import { answerFailure, failureOf, NotReady, refuseMethod } from "./failing.js";
import { CallerIdentifying, identifyCaller } from "./identifying-caller.js";
import { RouteCall, target, type Exchange } from "./route-call.js";
import { secretsOf, shownPath } from "./secret-parts.js";
import type { Found } from "./route-table.js";
import { Routes } from "./routes.js";
import { unknownFields } from "./unknown-fields.js";
import { hideRequestSecrets, withRequestSecrets } from "../../logging/request-secrets.js";
import { causedBy, currentCause, RequestCause } from "../../plugins/containment/request-cause.js";
import { inject, injectable, token } from "../../injection.js";

/** What the dispatcher tells of every request that reached a route, or failed. */
export interface RequestObserver {
  answered(id: string, method: string, path: string, status: number, milliseconds: number): void;
  failed(id: string, method: string, path: string, thrown: unknown): void;
}
export const RequestObserver = token<RequestObserver>("the observer of requests");

/** Whether plugins are still being started, so that a path which leads nowhere now may lead somewhere soon. */
export interface Presence {
  readonly starting: boolean;
}
export const Presence = token<Presence>("whether plugins are being started");

/** Paths that belong to a plugin which is not there now, so that no page of the web interface stands in for it. */
export interface AbsentPaths {
  /** The error for a path inside of a plugin's base path; undefined for every other path. */
  failure(path: string): LongboxError | undefined;
}
export const AbsentPaths = token<AbsentPaths>("paths of plugins that do not run");

/** How long a request waits while what answers it is brought to another version. */
const heldMs = 15_000;

const reads = new Set(["GET", "HEAD"]);
const none: readonly string[] = [];

/** Takes a request from the table of routes to its answer. */
@injectable()
export class Dispatcher {
  readonly #idPrefix = randomBytes(4).toString("hex");
  #requests = 0;

  constructor(
    @inject(Routes) private readonly routes: Routes,
    @inject(CallerIdentifying) private readonly access: CallerIdentifying,
    @inject(AbsentPaths) private readonly absent: AbsentPaths,
    @inject(Proxies) private readonly proxies: Proxies,
    @inject(FrontDoor) private readonly frontDoor: FrontDoor,
    @inject(RequestObserver) private readonly observer: RequestObserver,
    @inject(Presence) private readonly presence: Presence,
    @inject(Replies) private readonly replies: Replies,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
  ) {}

  /** Never rejects: whatever goes wrong becomes an answer. */
  async dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { path, search } = target(request);
    const exchange: Exchange = {
      id: `${this.#idPrefix}-${(++this.#requests).toString(36)}`,
      request,
      response,
      client: this.proxies.client(request),
      publicUrl: this.settings.current.publicUrl,
    };
    const found = this.routes.table.find(path);
    const compiled = found?.methods.get(request.method ?? "");
    const held = compiled?.owner.held;
    if (held !== undefined && (await settles(held))) return this.dispatch(request, response);
    const values = found?.values ?? none;
    const answer = async () => {
      try {
        if (held !== undefined) throw new NotReady();
        if (compiled !== undefined) await this.#serve(exchange, compiled, found!, search);
        else if (found !== undefined) refuseMethod(exchange, found);
        else this.#serveFiles(exchange, path);
      } catch (thrown) {
        this.#fail(exchange, compiled, values, thrown);
      }
    };
    const cause = compiled && new RequestCause(`${request.method} ${path}${search}`, exchange.client.address);
    await withRequestSecrets(secretsOf(exchange, compiled, values), () => causedBy(cause, answer));
    if (compiled === undefined) return;
    const milliseconds = performance.now() - started;
    compiled.tally.add(response.statusCode, milliseconds);
    const shown = shownPath(exchange, compiled, values);
    this.observer.answered(exchange.id, request.method ?? "", shown, response.statusCode, milliseconds);
  }

  async #serve(
    exchange: Exchange,
    compiled: CompiledRoute,
    found: Found<CompiledRoute>,
    search: string,
  ): Promise<void> {
    const { route } = compiled;
    const { headers } = exchange.request;
    const identified = identifyCaller(this.access, { exchange, compiled, values: found.values });
    const { grant, cookie } = identified instanceof Promise ? await identified : identified;
    if (grant.signedIn) currentCause()!.account = grant.user.id;
    authorise(compiled, grant);
    const isRead = reads.has(exchange.request.method!);
    if (!isRead) this.access.requests.refuseCrossSite(headers, exchange.client, grant);
    if (cookie !== undefined) exchange.response.setHeader("Set-Cookie", cookie);
    const params = route.params && checkInput(route.params, "path", decodeParameters(compiled.names, found.values));
    const query = route.query && checkInput(route.query, "query", readQuery(search));
    const body = route.body === undefined || isRead ? undefined : await takeBody(exchange, route, route.body);
    const call = new RouteCall(
      exchange,
      compiled.owner.signal,
      route.ignoresHideMature ? grant.unnarrowed : grant,
      params,
      query,
      body,
    );
    await compiled.owner.run(async () => this.replies.send(exchange, await route.handle(call as never)));
  }

  #serveFiles(exchange: Exchange, path: string): void {
    const failure = this.absent.failure(path);
    if (failure !== undefined) throw failure;
    if (this.frontDoor.serve(exchange, path)) return;
    throw this.presence.starting
      ? new NotReady()
      : new NotFound("kernel/no-such-path", "There is nothing at this path.");
  }

  #fail(exchange: Exchange, compiled: CompiledRoute | undefined, values: readonly string[], thrown: unknown): void {
    const gone = exchange.response.destroyed && !exchange.response.writableFinished;
    const error = failureOf(exchange, compiled, thrown);
    if (error.kind === "internal" && !gone) {
      hideRequestSecrets(thrown);
      compiled?.owner.reportFault(thrown, `${compiled.route.method} ${compiled.route.path}`);
      const shown = shownPath(exchange, compiled, values);
      this.observer.failed(exchange.id, exchange.request.method ?? "", shown, thrown);
    }
    answerFailure(exchange, compiled, error);
  }
}

/** Whether what holds a request up is over in time. */
const settles = (held: Promise<void>): Promise<boolean> =>
  within(held, { limitMs: heldMs, failure: () => new NotReady() }).then(
    () => true,
    () => false,
  );

/** Reads and checks the body. Fields that its schema does not know are left out, and named in the answer. */
async function takeBody({ request, response }: Exchange, route: Route, schema: NonNullable<Route["body"]>) {
  const sent = await readBody(request, route);
  const unknown = route.bodyFormat === "json" ? unknownFields(schema, sent) : undefined;
  if (unknown !== undefined) response.setHeader("X-Unknown-Fields", unknown);
  return checkInput(schema, "body", sent);
}

/** The one place that decides: on the matched record, never on a second reading of the URL. */
function authorise(compiled: CompiledRoute, grant: Grant): void {
  if (compiled.isPublic) return;
  if (!grant.signedIn)
    throw new LongboxError("not-signed-in", "kernel/not-signed-in", "Sign in first, or send an API key.");
  if (compiled.permission === undefined || grant.may(compiled.permission)) return;
  throw new LongboxError("forbidden", "kernel/forbidden", `This needs the permission ${compiled.permission}.`, {
    permission: compiled.permission,
  });
}

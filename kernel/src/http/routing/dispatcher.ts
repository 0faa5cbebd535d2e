import { LongboxError, NotFound, within, type Route } from "@longbox/sdk";
import type { Grant } from "../../access/identifying/grant.js";
import type { Identified } from "../../access/identifying/identifying.js";
import { checkInput, decodeParameters, readQuery } from "./checking-input.js";
import type { CompiledRoute } from "./compiled-route.js";
import type { Carried, Next, Routed, RouteStep, Step } from "../receiving/carried.js";
import { readBody } from "../receiving/reading-bodies.js";
import { Replies } from "../answering/sending-replies.js";
import { answerFailure, failureOf, NotReady, refuseMethod } from "./failing.js";
import { CallerIdentifying, identifyCaller } from "./identifying-caller.js";
import { OpenAnswers } from "./open-answers.js";
import { RouteCall } from "./route-call.js";
import { secretsOf, shownPath } from "./secret-parts.js";
import type { Found } from "./route-table.js";
import { Routes } from "./routes.js";
import { unknownFields } from "./unknown-fields.js";
import { hideRequestSecrets, withRequestSecrets } from "../../logging/request-secrets.js";
import { causedBy, currentCause, RequestCause } from "../../plugins/containment/request-cause.js";
import { RefusedInputs } from "../../plugins/containment/blockings.js";
import { inject, injectable, token } from "../../injection.js";
import { OutsideJson } from "../../parsing/outside-json.js";

/** Called by the dispatcher for every request that reached a route, or failed. */
export interface RequestObserver {
  /** @param milliseconds - until the answer began */
  answered(request: RoutedRequest, status: number, milliseconds: number): void;
  failed(request: ObservedRequest, thrown: unknown): void;
}
/** A request as logs show it: its path without secrets. */
export interface ObservedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}
/** One that has reached a route. */
export interface RoutedRequest extends ObservedRequest {
  /** The path of the route, with the names of its parameters. */
  readonly route: string;
  /** Whose route it is: `kernel`, or the id of a plugin. */
  readonly owner: string;
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
/** What logs and measurements say of a request whose client went away before the answer, as in nginx's logs. */
const givenUp = 499;

/** The steps of a request from the route table to the answer. */
@injectable()
export class Dispatcher {
  constructor(
    @inject(Routes) private readonly routes: Routes,
    @inject(CallerIdentifying) private readonly access: CallerIdentifying,
    @inject(AbsentPaths) private readonly absent: AbsentPaths,
    @inject(RequestObserver) private readonly observer: RequestObserver,
    @inject(Presence) private readonly presence: Presence,
    @inject(Replies) private readonly replies: Replies,
    @inject(OutsideJson) private readonly json: OutsideJson,
    @inject(RefusedInputs) private readonly refused: RefusedInputs,
    @inject(OpenAnswers) private readonly open: OpenAnswers,
  ) {}

  /**
   * For a path whose routes never change: they are looked up once. polka takes more spellings for the path than counts.
   */
  standing(path: string): Step {
    const found = this.routes.table.find(path);
    return (carried, next) => {
      if (carried.path === path) lead(carried, found);
      return next(carried);
    };
  }

  /** Finds the route. While its plugin is being upgraded, the request waits and then looks again. */
  readonly find: Step = (carried, next) => {
    if (carried.found === undefined) lead(carried, this.routes.table.find(carried.path));
    const held = carried.compiled?.owner.held;
    return held === undefined ? next(carried) : this.#wait(carried, held, next);
  };

  readonly hideSecrets: RouteStep = (carried, next) =>
    withRequestSecrets(secretsOf(carried, carried.compiled, carried.found.values), () => next(carried));

  readonly attribute: RouteStep = (carried, next) => {
    const { request, path, search, client, compiled } = carried;
    const traceparent = request.headers.traceparent as string | undefined;
    const whose = { route: compiled.owner.id, traceparent };
    const cause = new RequestCause(`${request.method} ${path}${search}`, client.address, whose);
    return causedBy(cause, () => next(carried));
  };

  /** Answers errors as well, while the request's secrets and its cause are known. */
  readonly measure: RouteStep = async (carried, next) => {
    try {
      await next(carried);
    } catch (thrown) {
      this.fail(carried, thrown);
    }
    const { compiled, found, id, request, response, startedAt } = carried;
    const milliseconds = (carried.answeredAt ?? performance.now()) - startedAt;
    compiled.tally.add(response.statusCode, milliseconds);
    const path = shownPath(carried, compiled, found.values);
    const observed = { id, method: request.method ?? "", path, route: compiled.route.path, owner: compiled.owner.id };
    this.observer.answered(observed, response.statusCode, milliseconds);
  };

  /** Authenticates the request and checks the permission. */
  readonly allow: RouteStep = (carried, next) => {
    const { compiled } = carried;
    if (carried.notReady) throw new NotReady();
    const identified = identifyCaller(this.access, { exchange: carried, compiled, values: carried.found.values });
    // Most are known already: they are not made to wait for a promise.
    if (identified instanceof Promise)
      return identified.then((caller) => {
        this.#admit(carried, caller);
        return next(carried);
      });
    this.#admit(carried, identified);
    return next(carried);
  };

  #admit(carried: Routed, { grant, cookie }: Identified): void {
    const { compiled, request, response, client } = carried;
    const cause = currentCause()!;
    if (grant.signedIn) cause.account = grant.user.id;
    authorise(compiled, grant);
    const refusal = this.refused.refusal(cause);
    if (refusal !== undefined) throw refusal;
    if (!isRead(carried)) this.access.requests.refuseCrossSite(request.headers, client, grant);
    if (cookie !== undefined) response.setHeader("Set-Cookie", cookie);
    carried.grant = grant;
  }

  /** Validates parameters, query and body, and limits their size. */
  readonly takeInput: RouteStep = (carried, next) => {
    const { compiled, found, search } = carried;
    const { route, owner } = compiled;
    const grant = carried.grant!;
    const params = route.params && checkInput(route.params, "path", decodeParameters(compiled.names, found.values));
    const query = route.query && checkInput(route.query, "query", readQuery(search));
    const viewer = route.ignoresHideMature ? grant.unnarrowed : grant;
    const go = (body?: unknown) => {
      carried.call = new RouteCall(carried, owner.signal, { viewer, params, query, body });
      return next(carried);
    };
    return route.body === undefined || isRead(carried) ? go() : this.#takeBody(carried, route.body).then(go);
  };

  /** Reads and checks the body. Fields that its schema does not know are left out, and named in the answer. */
  async #takeBody({ request, response, compiled }: Routed, schema: NonNullable<Route["body"]>) {
    const sent = await readBody(request, compiled.route, this.json);
    const unknown = compiled.route.bodyFormat === "json" ? unknownFields(schema, sent) : undefined;
    if (unknown !== undefined) response.setHeader("X-Unknown-Fields", unknown);
    return checkInput(schema, "body", sent);
  }

  /** Runs the handler, and sends what it returns. */
  readonly answer = (carried: Routed): unknown => {
    const { owner, route } = carried.compiled;
    return owner.run(async () =>
      this.open.follow(carried, {
        // A table of routes cannot keep the types of their inputs. `takeInput` has checked this one with the schemas of
        // its route.
        handle: () => route.handle(carried.call as never),
        send: (result) => {
          carried.answeredAt = performance.now();
          return this.replies.send(carried, result);
        },
      }),
    );
  };

  readonly refuseMethod: Step = (carried, next) =>
    carried.found === undefined ? next(carried) : refuseMethod(carried, carried.found);

  /** A path of a plugin that does not run has no page of the web interface in its place. */
  readonly refuseAbsent: Step = (carried, next) => {
    const failure = this.absent.failure(carried.path);
    if (failure !== undefined) throw failure;
    return next(carried);
  };

  /** There is neither a route nor a file. */
  readonly refuse = (carried: Carried): void => {
    const error = this.presence.starting
      ? new NotReady()
      : new NotFound("kernel/no-such-path", "There is nothing at this path.");
    this.fail(carried, error);
  };

  /** Converts any error into an answer. */
  fail(carried: Carried, thrown: unknown): void {
    const { compiled, found, id, request, response } = carried;
    if (response.destroyed && !response.writableFinished) {
      // No client hears an answer, and the plugin has not failed.
      if (!response.headersSent) response.statusCode = givenUp;
      return;
    }
    const error = failureOf(carried, compiled, thrown);
    if (error.kind === "internal") {
      hideRequestSecrets(thrown);
      compiled?.owner.reportFault(thrown, `${compiled.route.method} ${compiled.route.path}`);
      const path = shownPath(carried, compiled, found?.values ?? []);
      this.observer.failed({ id, method: request.method ?? "", path }, thrown);
    }
    answerFailure(carried, compiled, error);
  }

  async #wait(carried: Carried, held: Promise<void>, next: Next): Promise<unknown> {
    if (await settles(held)) {
      carried.found = undefined;
      return this.find(carried, next);
    }
    carried.notReady = true;
    return next(carried);
  }
}

function lead(carried: Carried, found: Found<CompiledRoute> | undefined): void {
  carried.found = found;
  carried.compiled = found?.methods.get(carried.request.method ?? "");
}

const isRead = ({ request }: Carried) => reads.has(request.method ?? "");

/** Whether the route becomes available within the time limit. */
const settles = (held: Promise<void>): Promise<boolean> =>
  within(held, { limitMs: heldMs, failure: () => new NotReady() }).then(
    () => true,
    () => false,
  );

/** The access decision. It uses only the matched route, never the URL again. */
function authorise(compiled: CompiledRoute, grant: Grant): void {
  if (compiled.isPublic) return;
  if (!grant.signedIn)
    throw new LongboxError("not-signed-in", "kernel/not-signed-in", "Sign in first, or send an API key.");
  if (compiled.permission === undefined || grant.may(compiled.permission)) return;
  throw new LongboxError("forbidden", "kernel/forbidden", `This needs the permission ${compiled.permission}.`, {
    permission: compiled.permission,
  });
}

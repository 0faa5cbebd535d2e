import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import polka, { type Middleware } from "polka";
import { ServerSettingsSource } from "../../access/server-settings.js";
import { inject, injectable, injectOptional } from "../../injection.js";
import { PeerSecret } from "../../kernel-tokens.js";
import { peerAddressOf, refuseForwarded } from "../../servers/peers.js";
import { sendBarePage } from "../answering/bare-page.js";
import { Dispatcher, Presence } from "../routing/dispatcher.js";
import { target } from "../routing/route-call.js";
import { onRoute, step, type CarryingRequest, type Step } from "./carried.js";
import { FrontDoor } from "./front-door.js";
import { Proxies } from "./proxies.js";
import { answersForServer, namesOneHost, settleTarget } from "./request-targets.js";
import { refuseWithoutHost } from "./wire-errors.js";

type Carrying = Middleware<CarryingRequest>;

/** Matches also targets that are not paths, such as `*`, which polka's own `use` would skip. */
const everyTarget = /^/;

/** The steps of a request, from its first byte to its answer. */
@injectable()
export class Pipeline {
  readonly #idPrefix = randomBytes(4).toString("hex");
  #requests = 0;

  constructor(
    @inject(Proxies) private readonly proxies: Proxies,
    @inject(Dispatcher) private readonly dispatcher: Dispatcher,
    @inject(FrontDoor) private readonly files: FrontDoor,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
    @inject(Presence) private readonly presence: Presence,
    @injectOptional(PeerSecret) private readonly peerSecret: string | undefined,
  ) {}

  /** Answers the requests of a server. The routes that never change have to be mounted already. */
  carry(server: Server): void {
    const { dispatcher, files } = this;
    const shell = polka<CarryingRequest>({
      server,
      onError: (thrown, request) => dispatcher.fail(request.carried, thrown),
      onNoMatch: step(dispatcher.refuse),
    });
    shell
      .all(everyTarget, requireOneHost, answerForServer, this.#begin)
      .get("/healthz", step(dispatcher.standing("/healthz")))
      .get("/api/openapi.json", step(dispatcher.standing("/api/openapi.json")))
      .all(
        everyTarget,
        step(dispatcher.find),
        onRoute(dispatcher.hideSecrets),
        onRoute(dispatcher.attribute),
        onRoute(dispatcher.measure),
        onRoute(dispatcher.allow),
        onRoute(dispatcher.takeInput),
        onRoute(dispatcher.answer),
        step(dispatcher.refuseMethod),
        step(dispatcher.refuseAbsent),
        step(files.serve),
        step(this.#standIn),
      );
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      settleTarget(request);
      // The third parameter is a parsed URL that polka makes itself where there is none; its type does not say so.
      void shell.handler(request as CarryingRequest, response, undefined as never);
    });
  }

  /** A browser that goes to a page while no plugin shows any gets one with which it can be switched on again. */
  readonly #standIn: Step = (carried, next) =>
    this.presence.starting || !this.files.lacksPage(carried, carried.path) ? next() : sendBarePage(carried);

  /** Assigns the request's id, and determines the client. */
  readonly #begin: Carrying = (request, response, next) => {
    const peerAddress = peerAddressOf(request, this.peerSecret);
    if (peerAddress === undefined) return refuseForwarded(request, response);
    request.carried = {
      id: `${this.#idPrefix}-${(++this.#requests).toString(36)}`,
      startedAt: performance.now(),
      request,
      response,
      client: this.proxies.client(request, peerAddress),
      peerAddress,
      publicUrl: this.settings.current.publicUrl,
      ...target(request),
    };
    return next();
  };
}

const requireOneHost: Carrying = (request, response, next) =>
  namesOneHost(request) ? next() : refuseWithoutHost(response);

const answerForServer: Carrying = (request, response, next) =>
  answersForServer(request, response) ? undefined : next();

import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import polka from "polka";
import { ServerSettingsSource } from "../../access/server-settings.js";
import { inject, injectable, injectOptional } from "../../injection.js";
import { BasePath, PeerSecret } from "../../kernel-tokens.js";
import { peerOf, refuseForwarded, type Peer } from "../../servers/peers.js";
import { sendBarePage } from "../answering/bare-page.js";
import { Dispatcher, Presence } from "../routing/dispatcher.js";
import { target } from "../routing/route-call.js";
import { completesBasePath, leaveBasePath, publicAddress } from "./base-path.js";
import { inTurn, onRoute, step, type Carried, type CarryingRequest, type Next, type Step } from "./carried.js";
import { FrontDoor } from "./front-door.js";
import { Proxies } from "./proxies.js";
import { answersForServer, namesOneHost, settleTarget } from "./request-targets.js";
import { refuseWithoutHost } from "./wire-errors.js";

/** Where clients ask whether the server answers. */
export const healthPath = "/healthz";

/** The steps of a request, from its first byte to its answer. */
@injectable()
export class Pipeline {
  readonly #idPrefix = randomBytes(4).toString("hex");
  #requests = 0;
  /** Requests other than for the server's health wait for this. */
  #opening: Promise<unknown> | undefined;

  constructor(
    @inject(Proxies) private readonly proxies: Proxies,
    @inject(Dispatcher) private readonly dispatcher: Dispatcher,
    @inject(FrontDoor) private readonly files: FrontDoor,
    @inject(ServerSettingsSource) private readonly settings: ServerSettingsSource,
    @inject(Presence) private readonly presence: Presence,
    @injectOptional(PeerSecret) private readonly peerSecret: string | undefined,
    @injectOptional(BasePath) private readonly basePath = "",
  ) {}

  /** Whether requests wait. */
  get holds(): boolean {
    return this.#opening !== undefined;
  }

  /** Lets requests wait until this settles: all but those for the server's health, which is known meanwhile. */
  holdUntil(opening: Promise<unknown>): void {
    this.#opening = opening;
    const open = () => (this.#opening = undefined);
    void opening.then(open, open);
  }

  /** Answers the requests of a server. The routes that never change have to be mounted already. */
  carry(server: Server): void {
    const { dispatcher } = this;
    const steps = this.#steps();
    const shell = polka<CarryingRequest>({
      server,
      onError: (thrown, request) => dispatcher.fail(request.carried, thrown),
      onNoMatch: ({ carried }) => steps(carried) as Promise<void>,
    });
    // Routes of plugins come and go, and polka cannot remove one.
    for (const path of [healthPath, "/api/openapi.json"]) shell.get(path, step(dispatcher.standing(path)));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      settleTarget(request);
      if (!namesOneHost(request)) return refuseWithoutHost(response);
      if (answersForServer(request, response) || completesBasePath(request, response, this.basePath)) return;
      leaveBasePath(request, this.basePath);
      const peer = peerOf(request, this.peerSecret);
      if (peer === undefined) return refuseForwarded(request, response);
      const carrying = request as CarryingRequest;
      carrying.carried = this.#begin(request, response, peer);
      // The third parameter is a parsed URL that polka makes itself where there is none; its type does not say so.
      void shell.handler(carrying, response, undefined as never);
    });
  }

  /** Everything between polka and the answer. */
  #steps(): Next {
    const { dispatcher, files } = this;
    const { hideSecrets, attribute, measure, allow, takeInput, answer } = dispatcher;
    return inTurn(
      [
        this.#hold,
        dispatcher.find,
        onRoute([hideSecrets, attribute, measure, allow, takeInput], answer),
        dispatcher.refuseMethod,
        dispatcher.refuseAbsent,
        files.serve,
        this.#standIn,
      ],
      dispatcher.refuse,
    );
  }

  /** A client that came during a restart is answered by the plugins, not told that they are not there yet. */
  readonly #hold: Step = (carried, next) => {
    if (this.#opening === undefined || carried.path === healthPath) return next(carried);
    const go = () => {
      carried.startedAt = performance.now();
      return next(carried);
    };
    return this.#opening.then(go, go);
  };

  /** A browser that goes to a page while no plugin shows any gets one with which it can be switched on again. */
  readonly #standIn: Step = (carried, next) =>
    this.presence.starting || !this.files.lacksPage(carried, carried.path) ? next(carried) : sendBarePage(carried);

  /** Assigns the request's id, and determines the client. */
  #begin(request: IncomingMessage, response: ServerResponse, peer: Peer): Carried {
    return {
      id: `${this.#idPrefix}-${(++this.#requests).toString(36)}`,
      startedAt: performance.now(),
      request,
      response,
      client: this.proxies.client(request, peer.address),
      peerAddress: peer.address,
      asked: peer.asked,
      publicUrl: publicAddress(this.settings.current.publicUrl, this.basePath),
      ...target(request),
    };
  }
}

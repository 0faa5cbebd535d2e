import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SocketServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { LongboxError } from "@longbox/sdk";
import { sendErrorAlone } from "../http/receiving/closed-door.js";
import type { ListenPlace } from "../http/receiving/listen-place.js";
import { Agent, createServer } from "../node-http.js";
import { forward, type Forwarded } from "./forwarding.js";
import { holdBody } from "./held-parts.js";
import type { LeaderNote } from "./leader-note.js";
import { isForwarded, refuseForwarded } from "./peers.js";

/** How long a request waits for a leader. */
const patienceMs = 30_000;
const betweenTriesMs = 50;
/** Connections to the leader that are idle for so long are closed, before the leader closes them. */
const idleMs = 20_000;

/** RFC 9110, section 9.2.2: to send them twice does what sending them once does. */
const repeatable = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Answers the requests of a server that is not the leader, by having the leader answer them. */
export class FollowerDoor {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, timeout: idleMs });
  /** Aborts what the present leader has been asked. */
  #asking = new AbortController();
  #find: () => Promise<LeaderNote | undefined>;
  #isClosing = false;

  constructor(find: () => Promise<LeaderNote | undefined>) {
    this.#find = find;
    this.#server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000, headersTimeout: 66_000 });
    this.#server.on("request", (request, response) => void this.#answer(request, response));
  }

  /** @returns the address, such as `http://127.0.0.1:8787` */
  async listen(place: ListenPlace): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(place, resolve);
    });
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  /**
   * The leader has ended, and this server takes its place: what is asked waits for it. New connections wait to be
   * accepted.
   */
  leaderEnded(): void {
    this.#find = async () => undefined;
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#isClosing = true;
    // The one of HTTP would also close connections on which a client may be about to ask something.
    SocketServer.prototype.close.call(this.#server);
  }

  /** What waits, and what still comes on the connections that are open, is for this leader. */
  goOnWith(leader: LeaderNote): void {
    this.#find = async () => leader;
  }

  /** Takes no further connections, and ends those that are there when their answers have, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.race([closed, pause(graceMs, undefined, { ref: false })]);
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForwarded(request)) return refuseForwarded(request, response);
    try {
      const body = await holdBody(request);
      const failure = await this.#forward({ request, response, body });
      if (failure && !response.headersSent) sendErrorAlone(failure, request, response);
      else if (failure) response.destroy();
    } catch {
      response.destroy();
    }
  }

  /** @returns why there is no answer */
  async #forward(forwarded: Forwarded): Promise<LongboxError | undefined> {
    const { request, response, body } = forwarded;
    const canRepeat = body !== undefined && repeatable.has(request.method!);
    const end = Date.now() + patienceMs;
    while (Date.now() < end) {
      const leader = await this.#find();
      const outcome = leader && (await forward(forwarded, leader, this.#parts()));
      if (outcome === "answered" || response.destroyed) return undefined;
      if (outcome === "unknown" && !canRepeat) return leaderLost();
      await pause(betweenTriesMs);
    }
    return leaderAway();
  }

  #parts() {
    const headers = this.#isClosing ? ["Connection", "close"] : [];
    return { agent: this.#agent, signal: this.#asking.signal, headers };
  }
}

const leaderAway = () =>
  new LongboxError(
    "unavailable",
    "kernel/leader-away",
    "No server of this library is ready at the moment. Try again in a moment.",
    undefined,
    { retryAfterSeconds: 2 },
  );

const leaderLost = () =>
  new LongboxError(
    "unavailable",
    "kernel/leader-lost",
    "The server that worked on this request ended before it answered. It may have been carried out: look before you send it again.",
  );

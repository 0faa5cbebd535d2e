import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { LongboxError } from "@longbox/sdk";
import { createServer } from "../../node-http.js";
import { sendErrorAlone } from "./closed-door.js";
import type { ListenPlace } from "./listen-place.js";
import { closeAfterBody } from "./late-bodies.js";
import { Pipeline } from "./pipeline.js";
import { refuseBytes, refuseExpectation, refuseTunnel } from "./wire-errors.js";
import { inject, injectable } from "../../injection.js";

const stalledMs = 10 * 60_000;

/** The listening server with its connections and their time limits. The pipeline handles the requests. */
@injectable()
export class PolkaServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Answers that are under way; several on one connection when a client does not wait for them. */
  readonly #answering = new Set<ServerResponse>();
  readonly #lastAsked = new WeakMap<Duplex, IncomingMessage>();
  #closing = false;

  constructor(@inject(Pipeline) private readonly pipeline: Pipeline) {
    this.#server = createServer({
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      headersTimeout: 66_000,
      requestTimeout: 300_000,
    });
    // A client that stopped reading a download holds its file open; one that only listens gets a heartbeat long before.
    this.#server.setTimeout(stalledMs);
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      closeAfterBody(socket, () => this.#lastAsked.get(socket));
    });
    this.#server.on("request", (request, response) => {
      this.#answering.add(response);
      this.#lastAsked.set(request.socket, request);
      response.once("close", () => {
        this.#answering.delete(response);
        // Node would keep the connection for a next request.
        if (this.#closing && !this.#answersOn(request.socket).length) request.socket.end();
      });
    });
    this.#server.on("clientError", (failure, socket) => this.#refuse(failure, socket));
    this.#server.on("checkExpectation", (_request, response) => refuseExpectation(response));
    this.#server.on("connect", (_request, socket) => refuseTunnel(socket));
  }

  /** @returns the address, such as `http://127.0.0.1:8787` */
  async listen(place: ListenPlace): Promise<string> {
    this.pipeline.carry(this.#server);
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(place, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  /**
   * Answers what is under way and has no answer yet with an error. The answers are written before this returns, since
   * the event loop of this process does not turn again.
   */
  abandon(error: LongboxError): void {
    for (const response of this.#answering) if (!response.headersSent) sendErrorAlone(error, response.req, response);
  }

  /** Accepts no new requests, waits for pending ones, and after `graceMs` closes the remaining connections. */
  async close(graceMs: number): Promise<void> {
    if (!this.#server.listening) return;
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // A connection that a client opened ahead of time, and has asked nothing on yet, is not idle for Node.
    for (const socket of this.#sockets) if (!this.#answersOn(socket).length) socket.destroy();
    const deadline = setTimeout(() => this.#sockets.forEach((socket) => socket.destroy()), graceMs);
    await closed;
    clearTimeout(deadline);
  }

  /** Answers what cannot be read, and closes the connection. */
  #refuse(failure: NodeJS.ErrnoException, socket: Duplex): void {
    const underWay = this.#answersOn(socket);
    // In the middle of an answer, another would be taken for a part of it; and a request whose body is broken may have
    // had its answer.
    const hadAnswer = underWay.length === 0 && this.#lastAsked.get(socket)?.complete === false;
    if (hadAnswer || underWay.some((response) => response.headersSent)) socket.destroy();
    else refuseBytes(failure, socket);
  }

  #answersOn(socket: Duplex): ServerResponse[] {
    return [...this.#answering].filter((response) => response.req.socket === socket);
  }
}

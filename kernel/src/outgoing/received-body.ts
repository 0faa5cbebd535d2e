import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** How much is gathered before a chunk is full: large writes cost the fewest turns of a thread. In bytes. */
const chunkBytes = 1024 * 1024;
/** undici is told to pause while this much still fits, as much as a socket receives at once. */
const reservedBytes = 256 * 1024;

/** Receives one answer. While a chunk is used, the next one is gathered in a second buffer. */
export class ReceivedBody implements Dispatcher.DispatchHandler {
  readonly head: Promise<AnswerHead>;
  readonly #begun = Promise.withResolvers<AnswerHead>();
  #controller: Dispatcher.DispatchController | undefined;
  #filling: Filling | undefined;
  #spare: Filling | undefined;
  #changed = Promise.withResolvers<void>();
  /** As the header says, in bytes; undefined where the body is framed otherwise. */
  #stated: number | undefined;
  #received = 0;
  #ended = false;
  #fault: Error | undefined;

  constructor() {
    this.head = this.#begun.promise;
    // A request that is given up has no reader for what it says.
    this.head.catch(() => undefined);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#fault) controller.abort(this.#fault);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    controller.pause();
    this.#stated = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
    this.#begun.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    this.#filling ??= new Filling();
    this.#filling.add(bytes);
    this.#received += bytes.length;
    if (this.#filling.isFull) controller.pause();
    this.#change();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#change();
  }

  onResponseError(_: unknown, fault: Error): void {
    // undici takes a connection that ends while it pauses at the end of a body for one that breaks off.
    if (this.#received === this.#stated) return this.onResponseEnd();
    this.#fault ??= fault;
    this.#begun.reject(fault);
    this.#change();
  }

  /** Chunks that are valid until the next one is asked for. What came before a failure is given before it is thrown. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    while (await this.#hasMore()) {
      const full = this.#filling!;
      this.#filling = this.#spare;
      this.#controller?.resume();
      yield* full.take();
      this.#spare = full;
    }
  }

  /** Closes the connection unless everything has come. */
  close(reason: Error): void {
    if (this.#ended) return;
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason);
  }

  /** Waits until there is something to give, or nothing more comes. */
  async #hasMore(): Promise<boolean> {
    while (this.#filling === undefined || this.#filling.isEmpty) {
      if (this.#ended) return false;
      if (this.#fault) throw this.#fault;
      const changed = this.#changed.promise;
      this.#controller?.resume();
      await changed;
    }
    return true;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** A chunk that is being gathered. */
class Filling {
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #length = 0;
  /** What came although undici was told to pause, as at the end of a connection. */
  #beyond: Uint8Array[] = [];

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isFull(): boolean {
    return this.#length > chunkBytes - reservedBytes;
  }

  add(bytes: Uint8Array): void {
    const fitting = bytes.subarray(0, chunkBytes - this.#length);
    this.#buffer.set(fitting, this.#length);
    this.#length += fitting.length;
    if (fitting.length < bytes.length) this.#beyond.push(new Uint8Array(bytes.subarray(fitting.length)));
  }

  *take(): Generator<Uint8Array> {
    const beyond = this.#beyond;
    yield this.#buffer.subarray(0, this.#length);
    yield* beyond;
    this.#length = 0;
    this.#beyond = [];
  }
}

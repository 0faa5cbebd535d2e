import { LongboxError, releasable, type MemoryBudget, type Releasable } from "@longbox/sdk";
import { inject, injectable, injectOptional, token } from "../injection.js";

interface Waiting {
  readonly bytes: number;
  grant(): void;
}

export interface MemoryOptions {
  readonly waitLimitMs?: number;
  /** Hears how much was given back when nothing is reserved any more. */
  readonly freed?: (bytes: number) => void;
}
export const MemoryOptions = token<MemoryOptions>("options of the memory budget");
/** The budget in bytes; it may change while the server runs. */
export const MemoryLimit = token<() => number>("the limit of memory");

const waitLimitMs = 20_000;
const tryAgainSeconds = 5;

/**
 * The one budget for what is unpacked, rendered or buffered. The first in the line waits for room, and the others
 * behind it.
 */
@injectable()
export class SharedMemory implements MemoryBudget {
  readonly #limit: () => number;
  readonly #waitLimitMs: number;
  readonly #freed: (bytes: number) => void;
  readonly #waiting: Waiting[] = [];
  #usedBytes = 0;

  constructor(
    @inject(MemoryLimit) limitBytes: () => number,
    @injectOptional(MemoryOptions) options: MemoryOptions = {},
  ) {
    this.#limit = limitBytes;
    this.#waitLimitMs = options.waitLimitMs ?? waitLimitMs;
    this.#freed = options.freed ?? (() => {});
  }

  get limitBytes(): number {
    return this.#limit();
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async reserve(bytes: number, signal?: AbortSignal): Promise<Releasable> {
    signal?.throwIfAborted();
    if (!(bytes >= 0)) throw new TypeError(`${bytes} is not a number of bytes to reserve.`);
    if (bytes > this.limitBytes) throw tooLarge(bytes, this.limitBytes);
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) await this.#turn(bytes, signal);
    else this.#usedBytes += bytes;
    return releasable(() => {
      this.#usedBytes -= bytes;
      this.#grantNext();
      if (this.#usedBytes === 0) this.#freed(bytes);
    });
  }

  /** Takes a part without waiting, if there is room and no request waits. */
  tryReserve(bytes: number): Releasable | undefined {
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) return undefined;
    this.#usedBytes += bytes;
    return releasable(() => {
      this.#usedBytes -= bytes;
      this.#grantNext();
    });
  }

  /** Work that was allowed before the limit was lowered is let through alone. */
  #hasRoom(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.limitBytes || this.#usedBytes === 0;
  }

  #turn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { bytes, grant: () => (stopWaiting(), resolve()) };
    const leave = (reason: unknown) => {
      stopWaiting();
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(reason);
      this.#grantNext();
    };
    const abort = () => leave(signal?.reason);
    const timer = setTimeout(() => leave(busy(this.#waitLimitMs)), this.#waitLimitMs).unref();
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.push(waiting);
    return promise;
  }

  #grantNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#usedBytes += next.bytes;
      next.grant();
    }
  }
}

function busy(limitMs: number): LongboxError {
  return new LongboxError(
    "unavailable",
    "kernel/memory-busy",
    `The server had no memory to spare for ${limitMs / 1000} seconds; try again.`,
    undefined,
    { retryAfterSeconds: tryAgainSeconds },
  );
}

function tooLarge(bytes: number, limitBytes: number): LongboxError {
  return new LongboxError(
    "too-large",
    "kernel/memory-too-large",
    `This would take ${bytes} bytes of memory; the server may use ${limitBytes}.`,
    { bytes, limitBytes },
  );
}

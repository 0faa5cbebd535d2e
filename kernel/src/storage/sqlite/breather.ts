import { ownImmediate } from "../../own-timers.js";

/**
 * How long queries may follow each other before others get a turn. With twice the time, a request during a scan waits a
 * quarter longer, and the scan is no faster.
 */
const longestMs = 2;

/**
 * Lets the event loop breathe. An engine answers at once, so a plugin that asks in a loop goes from promise to promise
 * and would keep requests and timers waiting for as long as its loop lasts.
 */
export class Breather {
  #sinceMs: number | undefined;

  /** A promise to wait for when it is time, else undefined. Call it before each query. */
  pause(): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.#sinceMs === undefined) this.#begin(nowMs);
    else if (nowMs - this.#sinceMs > longestMs) return new Promise((resolve) => ownImmediate(resolve));
    return undefined;
  }

  #begin(nowMs: number): void {
    this.#sinceMs = nowMs;
    ownImmediate(() => (this.#sinceMs = undefined));
  }
}

/** One for the process, as there is one event loop. */
export const breather = new Breather();

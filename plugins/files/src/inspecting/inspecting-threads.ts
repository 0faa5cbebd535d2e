import type { Releasable } from "@longbox/sdk";
import type { InspectionLimits, WatchedThread } from "./watched-thread.js";

/** How long a thread without work is kept. */
const spareMs = 10_000;
/** An older thread is not kept, so that what its inspectors leak does not add up. */
const oldestMs = 60_000;

export interface InspectingThreadsParts {
  readonly start: (limits: InspectionLimits) => WatchedThread;
  /** As they are set now. */
  readonly limits: () => InspectionLimits;
}

/**
 * The threads that look into files. One that has done its work is kept for a short time, because starting one takes as
 * long as looking through a library: libraries are scanned one after the other, and changes on a disk come in bursts.
 */
export class InspectingThreads implements Releasable {
  #spare: WatchedThread | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Grows when the modules that threads have loaded may no longer be those that are installed. */
  #generation = 0;
  #isReleased = false;

  constructor(private readonly parts: InspectingThreadsParts) {}

  /** Does work in a thread that does nothing else meanwhile. When the work fails, its thread is ended. */
  async run<T>(work: (thread: WatchedThread) => Promise<T>): Promise<T> {
    const generation = this.#generation;
    const thread = await this.#take();
    let isDone = false;
    try {
      const result = await work(thread);
      isDone = true;
      return result;
    } finally {
      const isFit = isDone && generation === this.#generation && thread.isFit(oldestMs);
      if (!isFit || this.#spare !== undefined || this.#isReleased) await thread.release();
      else this.#keep(thread);
    }
  }

  /** No thread that is there now is kept: what it has loaded may no longer be what is installed. */
  async refresh(): Promise<void> {
    this.#generation++;
    await this.#endSpare();
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#endSpare();
  }

  async #take(): Promise<WatchedThread> {
    const limits = this.parts.limits();
    const spare = this.#spare;
    if (spare?.isFit(oldestMs) && spare.limits.longestMs === limits.longestMs) {
      clearTimeout(this.#timer);
      this.#spare = undefined;
      return spare;
    }
    await this.#endSpare();
    return this.parts.start(limits);
  }

  #keep(thread: WatchedThread): void {
    thread.forget();
    this.#spare = thread;
    this.#timer = setTimeout(() => void this.#endSpare(), spareMs).unref();
  }

  async #endSpare(): Promise<void> {
    clearTimeout(this.#timer);
    const spare = this.#spare;
    this.#spare = undefined;
    await spare?.release();
  }
}

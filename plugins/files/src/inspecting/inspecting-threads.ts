import type { Releasable } from "@longbox/sdk";
import type { InspectionLimits, WatchedThread } from "./watched-thread.js";

/** How long a thread without work is kept. */
const spareMs = 10_000;

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
  #isReleased = false;

  constructor(private readonly parts: InspectingThreadsParts) {}

  /** Does work in a thread that does nothing else meanwhile. When the work fails, its thread is ended. */
  async run<T>(work: (thread: WatchedThread) => Promise<T>): Promise<T> {
    const thread = await this.#take();
    try {
      const result = await work(thread);
      await this.#keep(thread);
      return result;
    } catch (thrown) {
      await thread.release();
      throw thrown;
    }
  }

  /** Ends the thread that is kept: what it has loaded is no longer what is installed. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    const spare = this.#spare;
    this.#spare = undefined;
    await spare?.release();
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.refresh();
  }

  async #take(): Promise<WatchedThread> {
    const limits = this.parts.limits();
    const spare = this.#spare;
    if (spare === undefined) return this.parts.start(limits);
    if (spare.hasEnded || spare.limits.longestMs !== limits.longestMs || spare.limits.mostBytes !== limits.mostBytes) {
      await this.refresh();
      return this.parts.start(limits);
    }
    clearTimeout(this.#timer);
    this.#spare = undefined;
    return spare;
  }

  async #keep(thread: WatchedThread): Promise<void> {
    if (this.#spare !== undefined || this.#isReleased || thread.hasEnded) return thread.release();
    thread.forget();
    this.#spare = thread;
    this.#timer = setTimeout(() => void this.refresh(), spareMs).unref();
  }
}

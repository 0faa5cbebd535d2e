import type { RenderOptions } from "./contract.js";

type Urgency = NonNullable<RenderOptions["urgency"]>;

interface Waiting {
  readonly urgency: Urgency;
  start(): void;
}

/**
 * Runs a few renderings at a time; the others wait in the order of arrival, those that a request waits for
 * first. Renderings in advance leave one lane free, so that a requested one never waits for them.
 *
 * p-queue 10 gives a lane back as soon as the signal of its work aborts, while libvips goes on with the image until it
 * is done: of three lanes, all of which were aborted in the middle, it let three more images begin at once.
 */
export class RenderLanes {
  readonly #lanes: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #runningAhead = 0;

  constructor(lanes: number) {
    this.#lanes = Math.max(1, lanes);
  }

  /** @throws the signal's reason when it aborts before the work has begun; work that has begun is finished. */
  async run<T>(urgency: Urgency, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#enter(urgency, signal);
    try {
      return await work();
    } finally {
      this.#leave(urgency);
    }
  }

  #enter(urgency: Urgency, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        urgency,
        start() {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #leave(urgency: Urgency): void {
    this.#running--;
    if (urgency === "ahead") this.#runningAhead--;
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < this.#lanes) {
      const index = this.#nextIndex();
      const next = index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
      if (!next) return;
      this.#running++;
      if (next.urgency === "ahead") this.#runningAhead++;
      next.start();
    }
  }

  #nextIndex(): number {
    const urgent = this.#waiting.findIndex((waiting) => waiting.urgency === "now");
    if (urgent >= 0) return urgent;
    const free = Math.max(1, this.#lanes - 1) - this.#runningAhead;
    return free > 0 ? this.#waiting.findIndex(() => true) : -1;
  }
}

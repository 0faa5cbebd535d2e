import { randomInt } from "node:crypto";
import { seededRandom, type SeededRandom } from "./fixtures/random.js";

declare module "vitest" {
  interface TaskMeta {
    /** What a test's chance is made from; the reporter prints it. */
    seed?: number;
  }
}

/**
 * A seed of its own for each run; `LONGBOX_SEED` repeats a run. Give it to the test as `meta`, so that it is printed.
 */
export function chooseSeed(): number {
  return Number(process.env["LONGBOX_SEED"] ?? randomInt(2 ** 32));
}

/** Where a kill came: before a step had begun to change anything, in its middle, or when it was over. */
export type Landing = "early" | "middle" | "late";

/**
 * When to kill: at a random instant within the time that a step takes, as measured when it was left alone. After a miss
 * the next instants are chosen later or earlier, until one lands in the middle; then from the whole time again.
 */
export class Aim {
  readonly #random: SeededRandom;
  /** How long each step takes when it is left alone, in milliseconds. */
  readonly tookMs = new Map<string, number>();
  /** By step, where the kills landed. */
  readonly landed = new Map<string, Record<Landing, number>>();
  /** By step, the part of its time from which the next instant is chosen, and the instant that was chosen last. */
  readonly #windows = new Map<string, { from: number; to: number; last: number }>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Runs a step undisturbed and notes how long it takes. */
  async measure<Result>(step: string, run: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await run();
    this.tookMs.set(step, performance.now() - startedAt);
    return result;
  }

  /** @throws {Error} when the step was never measured */
  instantMs(step: string): number {
    const tookMs = this.tookMs.get(step);
    if (tookMs === undefined) throw new Error(`${step} was never measured.`);
    const window = this.#window(step);
    window.last = window.from + this.#random.next() * (window.to - window.from);
    return window.last * tookMs;
  }

  note(step: string, landing: Landing): void {
    const counts = this.landed.get(step) ?? { early: 0, middle: 0, late: 0 };
    counts[landing] += 1;
    this.landed.set(step, counts);
    const window = this.#window(step);
    if (landing === "early") Object.assign(window, { from: window.last, to: Math.max(window.to, 1.5) });
    if (landing === "late") window.to = window.last;
    // What is narrower than this was a busy machine's doing.
    if (landing === "middle" || window.to - window.from < 0.02) this.#windows.delete(step);
  }

  /** Whether a kill has landed this often in the middle of each step. */
  hasHit(steps: readonly string[], times: number): boolean {
    return steps.every((step) => (this.landed.get(step)?.middle ?? 0) >= times);
  }

  #window(step: string) {
    const window = this.#windows.get(step) ?? { from: 0, to: 1, last: 0 };
    this.#windows.set(step, window);
    return window;
  }
}

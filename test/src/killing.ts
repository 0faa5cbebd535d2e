import { randomInt } from "node:crypto";
import { seededRandom, type SeededRandom } from "./fixtures/random.js";

declare module "vitest" {
  interface TaskMeta {
    /** What a test's chance is made from; the reporter prints it. */
    seed?: number;
  }
}

/** A seed of its own for each run; `LONGBOX_SEED` repeats a run. Give it to the test as `meta`, so that it is printed. */
export function chooseSeed(): number {
  return Number(process.env["LONGBOX_SEED"] ?? randomInt(2 ** 32));
}

/** When to kill: at a random instant within the time that a step takes, as measured when it was left alone. */
export class Aim {
  readonly #random: SeededRandom;
  /** How long each step takes when it is left alone, in milliseconds. */
  readonly tookMs = new Map<string, number>();
  /** By step, how many kills landed in its middle, and how many missed it. */
  readonly landed = new Map<string, { middle: number; missed: number }>();

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
    return this.#random.next() * tookMs;
  }

  note(step: string, isMiddle: boolean): void {
    const counts = this.landed.get(step) ?? { middle: 0, missed: 0 };
    counts[isMiddle ? "middle" : "missed"] += 1;
    this.landed.set(step, counts);
  }

  /** Whether a kill has landed this often in the middle of each step. */
  hasHit(steps: readonly string[], times: number): boolean {
    return steps.every((step) => (this.landed.get(step)?.middle ?? 0) >= times);
  }
}

import type { TestCase } from "vitest/node";

export interface Verdict {
  /** How the test failed, in a word or two; undefined when it did not. */
  readonly failure?: string;
  readonly skipReason?: string;
}

/** What became of the tests of one file. */
export class Tally {
  passed = 0;
  failed = 0;
  /** The reason of each skipped test. */
  readonly skipped: string[] = [];
  /** A test failed that was made from a chance of its own, so that passing once more would prove nothing. */
  failedBySeed = false;

  /** @param isSelection - Only some tests of each file were asked for, so that the rest is skipped without a reason */
  constructor(private readonly isSelection: boolean) {}

  count(test: TestCase): Verdict {
    const { state } = test.result();
    if (state === "passed") this.passed += 1;
    if (state === "skipped") return this.#countSkipped(test);
    if (state === "failed") return this.#failure("failed", test);
    return state === "pending" ? this.#failure("never ended", test) : {};
  }

  #countSkipped(test: TestCase): Verdict {
    const result = test.result();
    const skipReason = test.meta().skipReason ?? ("note" in result ? result.note : undefined);
    if (skipReason === undefined) {
      if (this.isSelection) return {};
      // The error of the hook stands just above in the output.
      return this.#failure(hookFailed(test) ? "could not run" : "skipped without a reason", test);
    }
    this.skipped.push(skipReason);
    return { skipReason };
  }

  #failure(failure: string, test: TestCase): Verdict {
    this.failed += 1;
    this.failedBySeed ||= test.meta().seed !== undefined;
    return { failure };
  }
}

/** What became of the files of a run, and of what belongs to none of them. */
export class RunTally {
  readonly #files = new Map<string, Tally>();
  /** Failures that belong to no file. */
  outside = 0;

  /** The tally of a file; what an earlier try of it said no longer counts. */
  begin(file: string, isSelection: boolean): Tally {
    const tally = new Tally(isSelection);
    this.#files.set(file, tally);
    return tally;
  }

  of(file: string): Tally | undefined {
    return this.#files.get(file);
  }

  get failedFiles(): string[] {
    return [...this.#files].filter(([, { failed }]) => failed > 0).map(([file]) => file);
  }

  get skipped(): string[] {
    return [...this.#files.values()].flatMap(({ skipped }) => skipped);
  }

  get passed(): number {
    return this.#sum(({ passed }) => passed);
  }

  get failed(): number {
    return this.outside + this.#sum(({ failed }) => failed);
  }

  get isEmpty(): boolean {
    return this.passed + this.failed + this.skipped.length === 0;
  }

  /** `12 passed, 0 failed, 1 skipped`, of this run and of one before it. */
  textWith(former: RunTally = new RunTally()): string {
    const skips = this.skipped.length + former.skipped.length;
    const skipped = skips > 0 ? `, ${skips} skipped` : "";
    return `${this.passed + former.passed} passed, ${this.failed + former.failed} failed${skipped}`;
  }

  #sum(number: (tally: Tally) => number): number {
    return [...this.#files.values()].reduce((sum, tally) => sum + number(tally), 0);
  }
}

function hookFailed(test: TestCase): boolean {
  for (let group = test.parent; ; group = group.parent) {
    if (group.errors().length > 0) return true;
    if (group.type === "module") return false;
  }
}

/** `3 × jing is not installed`, the most frequent first. */
export function countByReason(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} × ${reason}`);
}

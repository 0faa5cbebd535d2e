import type { TestCase } from "vitest/node";

export interface Verdict {
  /** How the test failed, in a word or two; undefined when it did not. */
  readonly failure?: string;
  readonly skipReason?: string;
}

/** What became of the tests of a run. */
export class Tally {
  passed = 0;
  failed = 0;
  /** The reason of each skipped test. */
  readonly skipped: string[] = [];

  /** @param isSelection - Only some tests of each file were asked for, so that the rest is skipped without a reason */
  constructor(private readonly isSelection: boolean) {}

  get isEmpty(): boolean {
    return this.passed + this.failed + this.skipped.length === 0;
  }

  get text(): string {
    const skipped = this.skipped.length > 0 ? `, ${this.skipped.length} skipped` : "";
    return `${this.passed} passed, ${this.failed} failed${skipped}`;
  }

  count(test: TestCase): Verdict {
    const { state } = test.result();
    if (state === "passed") this.passed += 1;
    if (state === "skipped") return this.#countSkipped(test);
    if (state === "failed") return this.#failure("failed");
    return state === "pending" ? this.#failure("never ended") : {};
  }

  #countSkipped(test: TestCase): Verdict {
    const result = test.result();
    const skipReason = test.meta().skipReason ?? ("note" in result ? result.note : undefined);
    if (skipReason === undefined) {
      if (this.isSelection) return {};
      // The error of the hook stands just above in the output.
      return hookFailed(test) ? this.#failure("could not run") : this.#failure("skipped without a reason");
    }
    this.skipped.push(skipReason);
    return { skipReason };
  }

  #failure(failure: string): Verdict {
    this.failed += 1;
    return { failure };
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

import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeProgress, type Progress, type ProgressReport } from "../src/progress-report.js";

const report = fc.record<ProgressReport>({
  page: fc.integer({ min: 0, max: 19 }),
  pages: fc.constant(20),
  completed: fc.boolean(),
  readAt: fc.integer({ min: 1, max: 1_000_000 }),
  restart: fc.constant(false),
});
/** Two devices cannot read in the same millisecond and be told apart. */
const reports = fc.uniqueArray(report, { selector: ({ readAt }) => readAt, minLength: 1, maxLength: 12 });

/** What is kept after all reports, in the order in which they arrive. */
function mergeAll(all: readonly ProgressReport[]): Progress {
  let kept: Progress | undefined;
  let begunAt = 0;
  for (const one of all) {
    const merged = mergeProgress({ kept, begunAt }, one);
    kept = merged?.progress ?? kept;
    if (merged?.isBeginning) begunAt = one.readAt;
  }
  return kept!;
}

it("ends at the same position, completion and reach in whatever order reports arrive", () => {
  fc.assert(
    fc.property(reports, fc.infiniteStream(fc.nat()), (all, order) => {
      const shuffled = all.map((one) => ({ one, key: order.next().value as number })).sort((a, b) => a.key - b.key).map(({ one }) => one);
      const { page, readAt, completed, furthest } = mergeAll(shuffled);
      const latest = all.reduce((one, other) => (other.readAt > one.readAt ? other : one));
      expect({ page, readAt, completed, furthest }).toEqual({ page: latest.page, readAt: latest.readAt, completed: all.some((one) => one.completed), furthest: Math.max(...all.map((one) => one.page)) + 1 });
    }),
  );
});

it("never counts a page twice", () => {
  fc.assert(
    fc.property(reports, (all) => {
      let kept: Progress | undefined;
      let gained = 0;
      for (const one of all) {
        const merged = mergeProgress({ kept, begunAt: 0 }, one)!;
        kept = merged.progress;
        gained += merged.pagesGained;
      }
      expect(gained).toBe(kept!.furthest);
    }),
  );
});

it("does not let an old restart undo a newer finish", () => {
  const finished = mergeAll([{ page: 19, pages: 20, completed: true, readAt: 500, restart: false }]);
  const before = { kept: finished, begunAt: 0 };
  expect(mergeProgress(before, { page: 0, pages: 20, completed: false, readAt: 100, restart: true })!.progress).toMatchObject({ completed: true, page: 19 });
  expect(mergeProgress(before, { page: 0, pages: 20, completed: false, readAt: 900, restart: true })!.progress).toMatchObject({ completed: false, page: 0, timesFinished: 1 });
});

it("does not finish an issue that was begun anew by a late report of the reading before", () => {
  const restarted = mergeAll([
    { page: 19, pages: 20, completed: true, readAt: 500, restart: false },
    { page: 0, pages: 20, completed: false, readAt: 900, restart: true },
    { page: 19, pages: 20, completed: true, readAt: 600, restart: false },
  ]);
  expect(restarted).toMatchObject({ page: 0, completed: false, readAt: 900, timesFinished: 1 });
});

it("takes a first report for what it is, however old it is", () => {
  expect(mergeProgress({ kept: undefined, begunAt: -Infinity }, { page: 4, pages: 20, completed: false, readAt: -5_000_000, restart: false })!.progress).toMatchObject({ page: 4, pages: 20, readAt: -5_000_000 });
});

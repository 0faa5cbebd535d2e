import { describe, expect, it } from "vitest";
import { barsOf, boundedOf, pageOf, type Figure, type Run } from "../bench/support/reporting/page.ts";
import { drawBars } from "../plots/bar-plot.ts";

const figures: Figure[] = [
  { bench: "pages", figure: "a page", p50Milliseconds: 2, nginxMilliseconds: 1.6, ratio: 1.25, atMost: { ratio: 2.5 } },
  { bench: "pages", figure: "many <pages>", ratio: 6, atMost: { ratio: 3 }, goal: "as nginx" },
  { bench: "scan", figure: "files", perSecond: 50, atLeast: { perSecond: 100 } },
  { bench: "scan", figure: "lost", atMost: { ratio: 1 } },
  { bench: "idle", figure: "memory", megabytes: 190, unbounded: "it depends on the machine" },
];
const run: Run = {
  began: new Date("2026-11-24T17:00:00Z"),
  minutes: 12,
  machine: { system: "Linux 6", processor: "2 × Test", memory: "8 GiB", node: "v24", commit: "abc1234", load: 1 },
  ...{ loadBefore: 0.2, processors: 2, versions: { Node: "24" }, benches: ["pages"], isComplete: true, figures },
};

describe("the page of measured figures", () => {
  it("shows how much of its bound each figure takes", () => {
    expect(boundedOf(figures).map(({ share }) => share)).toEqual([0.5, 2, 2, Number.NaN]);
    const svg = drawBars({ title: "Share", xTitle: "", limit: 1, bars: barsOf(boundedOf(figures)) });
    expect(svg).toContain("1.25 of 2.5");
    expect(svg).toContain("many &lt;pages&gt;");
    // Two figures miss their bound.
    expect(svg.match(/fill="#c2571a"/g)).toHaveLength(2);
  });

  it("says what was measured, what is not bounded, and counts what was not measured as missed", () => {
    const page = pageOf(run);
    expect(page).toContain("1 bounds held, 3 missed");
    expect(page).toContain(
      "- **a page**: p50 milliseconds 2, nginx milliseconds 1.6, ratio 1.25 (bound: ratio at most 2.5)",
    );
    expect(page).toContain("no bound: it depends on the machine");
  });

  it("says when the machine had other work, and when only a part was run", () => {
    expect(pageOf(run)).toContain("All benchmarks were run.");
    const page = pageOf({ ...run, loadBefore: 9, isComplete: false });
    expect(page).toContain("**The machine was loaded**");
    expect(page).toContain("Only these benchmarks were run: pages.");
  });
});

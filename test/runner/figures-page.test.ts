import { describe, expect, it } from "vitest";
import {
  barsOf,
  boundedOf,
  pageOf,
  type BenchRun,
  type Figure,
  type Measured,
} from "../bench/support/reporting/page.ts";
import { drawBars } from "../plots/bar-plot.ts";

const figures: Figure[] = [
  { bench: "pages", figure: "a page", p50Milliseconds: 2, nginxMilliseconds: 1.6, ratio: 1.25, atMost: { ratio: 2.5 } },
  { bench: "pages", figure: "many <pages>", ratio: 6, atMost: { ratio: 3 }, goal: "as nginx" },
  { bench: "scan", figure: "files", perSecond: 50, atLeast: { perSecond: 100 } },
  { bench: "scan", figure: "lost", atMost: { ratio: 1 } },
  { bench: "idle", figure: "memory", megabytes: 190, unbounded: "it depends on the machine" },
];
const whole: BenchRun = {
  ...{ bench: "pages", began: "2026-11-24T17:00:00.000Z", minutes: 12, commit: "abc1234", loadBefore: 0.2 },
  ...{ isWhole: true, figures },
};
const measured: Measured = {
  machine: { system: "Linux 6", processor: "2 × Test", memory: "8 GiB", node: "v24" },
  ...{ processors: 2, versions: { Node: "24" }, runs: [whole], missing: [] },
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

  it("holds a bound of nothing with nothing", () => {
    const share = (lost: number) => boundedOf([{ bench: "scan", lost, atMost: { lost: 0 } }])[0]!.share;
    expect([share(0), share(1)]).toEqual([0, Infinity]);
  });

  it("says what was measured, what is not bounded, and counts what was not measured as missed", () => {
    const page = pageOf(measured);
    expect(page).toContain("1 bounds held, 3 missed");
    expect(page).toContain(
      "- **a page**: p50 milliseconds 2, nginx milliseconds 1.6, ratio 1.25 (bound: ratio at most 2.5)",
    );
    expect(page).toContain("no bound: it depends on the machine");
  });

  it("says when each was measured and beside what, and what was not run", () => {
    const page = pageOf(measured);
    expect(page).toContain("2026-11-24T17:00Z, 12.0 minutes, commit abc1234, load 0.2.");
    expect(page).toContain("All benchmarks were run.");
    expect(page).not.toContain("**The machine had other work.**");
    const partly = pageOf({ ...measured, runs: [{ ...whole, loadBefore: 9, isWhole: false }], missing: ["scan"] });
    expect(partly).toContain("**The machine had other work.** **It failed before its end.**");
    expect(partly).toContain("Not run on this machine: scan.");
  });
});

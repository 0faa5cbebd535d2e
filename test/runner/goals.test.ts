import { describe, expect, it } from "vitest";
import { figureRatios } from "../bench/support/comparing/figure-ratios.ts";
import { missedGoals } from "../bench/support/goals.ts";

const line = (figure: object) => JSON.stringify({ bench: "pages", ...figure });

describe("the goals of a benchmark", () => {
  it("are held at the bound itself, and count", () => {
    expect(missedGoals(line({ ratio: 1.5, rate: 10, atMost: { ratio: 1.5 }, atLeast: { rate: 10 } }))).toEqual({
      missed: [],
      held: 2,
    });
    expect(missedGoals(line({ ratio: 9, unbounded: "nothing is promised" }))).toEqual({ missed: [], held: 0 });
  });

  it.each([
    ["above", { ratio: 1.51, atMost: { ratio: 1.5 } }, "pages: ratio is 1.51, at most 1.5 is the goal"],
    ["below", { rate: 9, atLeast: { rate: 10 } }, "pages: rate is 9, at least 10 is the goal"],
    ["not measured", { atMost: { ratio: 1.5 } }, "pages: ratio is undefined, at most 1.5 is the goal"],
    ["without a bound", { ratio: 9 }, "pages: it has no bound, and does not say why"],
    ["no number", { ratio: null, atMost: { ratio: 1.5 } }, "pages: ratio is null, at most 1.5 is the goal"],
  ])("are missed by what is %s", (_, figure, complaint) => {
    expect(missedGoals(line(figure))).toEqual({ missed: [complaint], held: 0 });
  });
});

it("figures of two trees are compared by their best rounds, times and rates each in their sense", () => {
  const before = [
    { bench: "scan", figure: "all", milliseconds: 200, filesPerSecond: 50, p99: 1, gone: true },
    { bench: "scan", figure: "all", milliseconds: 100, filesPerSecond: 100 },
    { bench: "scan", figure: "only then", milliseconds: 1 },
  ];
  const now = [{ bench: "scan", figure: "all", milliseconds: 110, filesPerSecond: 80, p99: 9 }];
  expect(figureRatios(before, now)).toEqual([
    { figure: "scan, all, milliseconds", ratio: 1.1, before: 100, now: 110 },
    { figure: "scan, all, filesPerSecond", ratio: 1.25, before: 100, now: 80 },
  ]);
});

it("figures of two trees are also compared relative to their yardsticks, in the median round", () => {
  const round = (p50: number, ratio: number) => ({ bench: "pages", yardstick: "nginx", p50, p50Ratio: ratio });
  const then = [round(2, 1), round(3, 1.2), round(9, 1.1)];
  expect(figureRatios(then, [round(3, 1.21)])).toEqual([
    { figure: "pages, nginx, p50", ratio: 1.5, before: 2, now: 3, relativeToYardstick: 1.1 },
  ]);
});

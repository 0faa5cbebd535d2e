import { seededRandom } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { drawLines } from "../plots/line-plot.ts";
import type { Sample } from "./support/sampling.ts";
import { Tally } from "./support/tally.ts";
import { judge } from "./support/verdict.ts";

const steady: Sample = {
  ...{ minute: 0, treeMegabytes: 220, residentMegabytes: 180, heapMegabytes: 70, externalMegabytes: 10, processes: 2 },
  ...{ descriptors: 60, resources: 30, loopDelayMs: 12, retiredModules: 0, eventClients: 4, answersPerSecond: 5 },
  ...{ p50Ms: 4, p99Ms: 40, serverErrors: 0 },
};

/** Two hours in samples of five seconds, with noise above what is used. */
function run(change: (minute: number, noise: number) => Partial<Sample>): Sample[] {
  const random = seededRandom(4);
  return Array.from({ length: 1440 }, (_, at) => ({
    ...steady,
    minute: at / 12,
    ...change(at / 12, random.next()),
  }));
}

const growing = (samples: readonly Sample[]) =>
  judge(samples, [])
    .growth.filter(({ holds }) => !holds)
    .map(({ field }) => field);

describe("the verdict of a soak", () => {
  it("takes what goes up and down, and what is filled during the warm-up, for no growth", () => {
    const samples = run((minute, noise) => ({
      heapMegabytes: 70 + 40 * ((minute % 3) / 3) + 5 * noise,
      treeMegabytes: minute < 30 ? 150 + 3 * minute : 240 + 60 * noise,
      descriptors: 60 + Math.floor(noise * 20),
    }));
    expect(judge(samples, [])).toMatchObject({ holds: true, faults: [] });
  });

  it("finds a slow leak of memory below the noise", () => {
    const samples = run((minute, noise) => ({ residentMegabytes: 180 + (15 * minute) / 60 + 30 * noise }));
    expect(growing(samples)).toEqual(["residentMegabytes"]);
  });

  it("finds handles that are not closed", () => {
    const samples = run((minute, noise) => ({ descriptors: 60 + Math.floor(minute / 10) + Math.floor(noise * 9) }));
    expect(growing(samples)).toEqual(["descriptors"]);
  });

  it("does not hold when it saw nothing, or an answer was wrong", () => {
    expect(judge([], []).holds).toBe(false);
    expect(
      judge(
        run(() => ({})),
        ["browser: GET / answered 500"],
      ).holds,
    ).toBe(false);
  });
});

describe("the tally of a soak", () => {
  const answer = { actor: "reader", method: "GET", path: "/api/reader", ms: 3 };

  it("expects 503 of a plugin that is being switched, for as long as it is switched", async () => {
    const tally = new Tally();
    const off = { ...answer, status: 503, code: "kernel/plugin-not-running" };
    tally.answered(off);
    await tally.whileSwitching(async () => tally.answered(off));
    expect([tally.wrongs, [...tally.expected]]).toEqual([1, [["kernel/plugin-not-running", 1]]]);
  });

  it("expects no other failure meanwhile", async () => {
    const tally = new Tally();
    await tally.whileSwitching(async () => {
      tally.answered({ ...answer, status: 500, code: "kernel/internal" });
      tally.answered({ ...answer, status: 503, code: "kernel/database-busy" });
      tally.answered({ ...answer, status: 404, code: "collection/no-series" });
      tally.answered({ ...answer, status: 502, code: "metadata/away", allows: [502] });
    });
    expect([tally.wrongs, tally.serverErrors, tally.answers]).toEqual([3, 3, 4]);
  });
});

describe("a plot", () => {
  it("shows every line with its peaks, inside of its frame, and texts as texts", () => {
    const points = Array.from({ length: 5000 }, (_, x) => [x / 100, x === 2501 ? 98 : 10] as const);
    const svg = drawLines([{ title: "a < b & c", xTitle: "minutes", lines: [{ title: "one", points }] }]);
    expect(svg).toContain("a &lt; b &amp; c");
    const numbers = /<path fill="none"[^>]* d="([^"]+)"/.exec(svg)![1]!.match(/[\d.]+ [\d.]+/g)!;
    const [xs, ys] = [0, 1].map((at) => numbers.map((pair) => Number(pair.split(" ")[at])));
    expect(numbers.length).toBeLessThanOrEqual(701);
    expect([Math.min(...xs!) >= 60, Math.max(...xs!) <= 748, Math.min(...ys!) >= 34, Math.max(...ys!) <= 184]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    // 98 of 100 stands almost at the top.
    expect(Math.min(...ys!)).toBeLessThan(40);
  });
});

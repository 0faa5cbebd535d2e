import { describe, expect, it } from "vitest";
import { addDays } from "../src/days/calendar.js";
import { goalsReached, targetOf } from "../src/rules/goal.js";
import { levelOf } from "../src/rules/points.js";
import { streakOf } from "../src/rules/streak.js";

const first = "2026-11-01";
/** Days counted from 0. */
const days = (...numbers: number[]) => numbers.map((number) => addDays(first, number));
const row = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);
const streak = (read: number[], today: number, bought: number[] = []) => {
  const found = streakOf(days(...read), days(...bought), addDays(first, today));
  return [found.days, found.longest, found.freezes];
};

describe("a streak", () => {
  it("counts days in a row, and today is not missed until it is over", () => {
    expect(streak([], 0)).toEqual([0, 0, 0]);
    expect(streak([0], 0)).toEqual([1, 1, 0]);
    expect(streak([0, 1, 2], 3)).toEqual([3, 3, 0]);
    expect(streak([0, 1, 2], 4)).toEqual([0, 3, 0]);
    expect(streak([0, 1, 2, 4], 4)).toEqual([1, 3, 0]);
  });

  it("earns a freeze by seven days, two at most, and a missed day uses one up", () => {
    expect(streak(row(0, 6), 6)).toEqual([6, 6, 0]);
    expect(streak(row(0, 7), 7)).toEqual([7, 7, 1]);
    expect(streak(row(0, 30), 30)).toEqual([30, 30, 2]);
    // Missed: the eighth day. The streak goes on with the days that were read.
    expect(streak(row(0, 7), 8)).toEqual([7, 7, 0]);
    expect(streak([...row(0, 7), 8], 8)).toEqual([8, 8, 0]);
    expect(streak(row(0, 7), 9)).toEqual([0, 7, 1]);
    expect(streak([...row(0, 14), 16, 17], 17)).toEqual([16, 16, 0]);
  });

  it("keeps freezes that could not have saved it", () => {
    expect(streak([...row(0, 14), 20], 20)).toEqual([1, 14, 2]);
    expect(streakOf(days(...row(0, 14), 20), [], addDays(first, 20)).frozen.size).toBe(0);
  });

  it("is saved by a freeze that was bought in time, and not by one that was bought too late", () => {
    expect(streak([0, 1, 3], 3, [1])).toEqual([3, 3, 0]);
    expect(streak([0, 1, 3], 3, [2])).toEqual([3, 3, 0]);
    expect(streak([0, 1, 3], 3, [3])).toEqual([1, 2, 1]);
    expect(streak([0, 1], 4, [2])).toEqual([0, 2, 1]);
  });

  it("says which days a freeze bridged", () => {
    const { frozen, lengths } = streakOf(days(...row(0, 7), 8), [], addDays(first, 8));
    expect([...frozen]).toEqual(days(7));
    expect(lengths.get(addDays(first, 8))).toBe(8);
  });
});

it("levels take a hundred points more each time", () => {
  const shown = [0, 99, 100, 299, 300, 599, 600, 1_000_000].map((points) => levelOf(points));
  expect(shown.map(({ level }) => level)).toEqual([1, 1, 2, 2, 3, 3, 4, 141]);
  for (const { levelAt, points, nextLevelAt } of shown) expect(points >= levelAt && points < nextLevelAt).toBe(true);
});

describe("a goal", () => {
  const choices = [
    { year: 2025, target: 2 },
    { year: 2027, target: 0 },
  ];

  it("stays until another is chosen", () => {
    expect([2024, 2025, 2026, 2027, 2028].map((year) => targetOf(choices, year))).toEqual([0, 2, 2, 0, 0]);
  });

  it("is reached by what was finished in its year", () => {
    const finish = (day: string) => ({
      at: Date.parse(day),
      day,
      issueId: 1,
      type: "comic",
      pages: 0,
      seconds: 0,
      finished: 1,
    });
    const counted = ["2024-12-30", "2025-12-30", "2025-12-31", "2026-01-01", "2027-01-01", "2027-01-02"].map(finish);
    expect(goalsReached(counted, choices)).toEqual([Date.parse("2025-12-31")]);
  });
});

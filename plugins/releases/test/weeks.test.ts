import { describe, expect, it } from "vitest";
import { isDue, weeksInWindow } from "../src/crawling/due-weeks.js";
import { addMonths, addWeeks, isDay, rangeOfMonth, rangeOfWeek, weekOf, weeksOf } from "../src/weeks.js";

describe("weeks", () => {
  it.each([
    ["2026-11-22", "2026-W47"],
    ["2026-11-23", "2026-W48"],
    ["2025-12-29", "2026-W01"],
    ["2027-01-03", "2026-W53"],
    ["2024-12-30", "2025-W01"],
    ["2021-01-01", "2020-W53"],
  ])("%s lies in %s", (day, week) => {
    expect(weekOf(day)).toBe(week);
    const range = rangeOfWeek(week)!;
    expect([day >= range.from, day <= range.to]).toEqual([true, true]);
    expect(weekOf(range.from)).toBe(week);
    expect(weekOf(range.to)).toBe(week);
  });

  it("follow each other over the ends of years, and are refused where their year does not have them", () => {
    expect(addWeeks("2026-W53", 1)).toBe("2027-W01");
    expect(addWeeks("2026-W01", -1)).toBe("2025-W52");
    expect(rangeOfWeek("2025-W53")).toBeUndefined();
    for (const wrong of ["2026-W00", "2026-W54", "2026-47", "", "2026-W1", "x"])
      expect([wrong, rangeOfWeek(wrong)]).toEqual([wrong, undefined]);
  });

  it("of a month are those that hold any of its days", () => {
    expect(rangeOfMonth("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
    expect(weeksOf({ from: "2026-11-01", to: "2026-11-30" })).toEqual([
      "2026-W44",
      "2026-W45",
      "2026-W46",
      "2026-W47",
      "2026-W48",
      "2026-W49",
    ]);
    expect([addMonths("2026-12", 1), addMonths("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
    for (const wrong of ["2026-13", "2026-00", "2026-1", "2026"]) expect(rangeOfMonth(wrong)).toBeUndefined();
    expect([isDay("2026-02-28"), isDay("2026-02-31"), isDay("2026-13-01"), isDay("x")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a crawl", () => {
  const now = Date.parse("2026-11-25T05:00:00Z");
  const hours = (count: number) => now - count * 3_600_000;

  it("begins with this week, then the next, then what is near", () => {
    expect(weeksInWindow({ today: "2026-11-25", back: 2, ahead: 3 })).toEqual([
      "2026-W48",
      "2026-W49",
      "2026-W47",
      "2026-W50",
      "2026-W46",
      "2026-W51",
    ]);
  });

  it.each([
    ["a week that never was asked for", "2026-W30", undefined, true],
    ["this week, asked for yesterday", "2026-W48", hours(24), true],
    ["this week, asked for this morning", "2026-W48", hours(2), false],
    ["the next week, asked for yesterday", "2026-W49", hours(24), true],
    ["a later week, asked for yesterday", "2026-W52", hours(24), false],
    ["a later week, asked for a week ago", "2026-W52", hours(168), true],
    ["last week, asked for yesterday", "2026-W47", hours(24), true],
    ["a week long over, asked for since", "2026-W44", hours(24), false],
    ["a week long over, asked for before it ended", "2026-W44", Date.parse("2026-10-28"), true],
  ])("asks again: %s", (_, week, askedAt, due) => {
    expect(isDue(week, askedAt, now)).toBe(due);
  });
});

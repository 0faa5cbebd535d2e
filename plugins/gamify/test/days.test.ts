import { describe, expect, it } from "vitest";
import { dayIn, mondayOf, startOfDay, weekOf } from "../src/days/calendar.js";
import { UserDays } from "../src/days/user-days.js";

const at = (time: string) => Date.parse(time);

describe("weeks", () => {
  it.each([
    ["2026-12-31", "2026-W53", "2026-12-28"],
    ["2027-01-03", "2026-W53", "2026-12-28"],
    ["2027-01-04", "2027-W01", "2027-01-04"],
    ["2024-12-30", "2025-W01", "2024-12-30"],
    ["2026-11-23", "2026-W48", "2026-11-23"],
  ])("of %s are those of ISO 8601", (day, week, monday) => {
    expect([weekOf(day), mondayOf(day)]).toEqual([week, monday]);
  });
});

describe("the start of a day", () => {
  it.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"],
    ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00Z"],
    ["Asia/Kathmandu", "2026-11-23", "2026-11-22T18:15:00Z"],
    ["Pacific/Kiritimati", "2026-11-23", "2026-11-22T10:00:00Z"],
    ["Pacific/Pago_Pago", "2026-11-23", "2026-11-23T11:00:00Z"],
    // The clock goes from midnight to one: the day begins at one.
    ["America/Asuncion", "2023-10-01", "2023-10-01T04:00:00Z"],
  ])("in %s on %s is %s", (zone, day, start) => {
    const found = startOfDay(zone, day);
    expect(new Date(found).toISOString().replace(".000", "")).toBe(start);
    expect([dayIn(zone, found) >= day, dayIn(zone, found - 1) < day]).toEqual([true, true]);
  });
});

describe("the days of a user", () => {
  it("have 23 and 25 hours where clocks change", () => {
    const days = new UserDays([{ from: 0, timeZone: "Europe/Berlin" }]);
    const hoursOf = (day: string) => {
      const start = startOfDay("Europe/Berlin", day);
      return Array.from({ length: 30 }, (_, hour) => days.dayOf(start + hour * 3_600_000)).filter((of) => of === day)
        .length;
    };
    expect([hoursOf("2026-03-29"), hoursOf("2026-10-25"), hoursOf("2026-11-23")]).toEqual([23, 25, 24]);
  });

  it("stay what they were when the time zone changes", () => {
    const days = new UserDays([
      { from: 0, timeZone: "Europe/Berlin" },
      { from: at("2026-11-20T12:00:00Z"), timeZone: "America/Los_Angeles" },
    ]);
    expect(
      ["2026-11-19T23:30:00Z", "2026-11-20T11:59:00Z", "2026-11-20T12:00:00Z", "2026-11-21T07:59:00Z"]
        .map(at)
        .map((ms) => days.dayOf(ms)),
    ).toEqual(["2026-11-20", "2026-11-20", "2026-11-20", "2026-11-20"]);
    expect(days.dayOf(at("2026-11-21T08:00:00Z"))).toBe("2026-11-21");
    // Asked in any order.
    expect(days.dayOf(at("2026-11-19T22:59:00Z"))).toBe("2026-11-19");
  });

  it("are at most two more than the days that went by, however often the time zone changes", () => {
    const start = at("2026-11-01T00:00:00Z");
    const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
    const hours = Array.from({ length: 240 }, (_, hour) => start + hour * 3_600_000);
    const days = new UserDays(hours.map((from, index) => ({ from, timeZone: zones[index % 2]! })));
    expect(new Set(hours.map((hour) => days.dayOf(hour))).size).toBeLessThanOrEqual(12);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeReport, nothingRead, type DevicePlace, type Progress, type Report } from "../src/progress/merging.js";
import { fractionOf } from "../src/progress/places.js";

const hour = 3_600_000;
const usual = { completed: undefined, mayGoBack: false, onlyForward: false, restart: false };

function reportOf(part: { page: number; at: number; device?: string } & Partial<Report>): Report {
  const { page, device = "tablet", ...rest } = part;
  return { ...usual, device, position: { kind: "page", page, pages: 20 }, ...rest };
}

/** What is kept after these reports, in the order in which they arrive. */
function mergeAll(reports: readonly Report[]): { progress: Progress; pages: number; finished: number } {
  let progress = nothingRead;
  let places: DevicePlace[] = [];
  let [pages, finished] = [0, 0];
  for (const report of reports) {
    const merged = mergeReport(progress, places, report);
    if (!merged) continue;
    progress = merged.progress;
    pages += merged.gainedPages;
    finished += Number(merged.finished);
    const last = places.find(({ device }) => device === report.device);
    if (!last || last.at <= report.at) places = [...places.filter((one) => one !== last), report];
  }
  return { progress, pages, finished };
}

const pageOf = (reports: readonly Report[]) => {
  const { position } = mergeAll(reports).progress;
  return position?.kind === "page" ? position.page : undefined;
};

describe("the position", () => {
  const anyReport = (device: fc.Arbitrary<string>) =>
    fc.record({ page: fc.integer({ min: 0, max: 18 }), at: fc.integer({ min: 1, max: hour }), device });
  const shuffled = (arbitrary: ReturnType<typeof anyReport>) =>
    fc.uniqueArray(arbitrary, { selector: ({ at }) => at, minLength: 1, maxLength: 10 }).chain((all) =>
      fc.tuple(
        fc.constant(all.toSorted((one, other) => one.at - other.at).map((one) => reportOf(one))),
        fc.shuffledSubarray(all, { minLength: all.length }).map((some) => some.map((one) => reportOf(one))),
      ),
    );

  it("on one device is that of the later reading, in whatever order reports arrive", () => {
    fc.assert(
      fc.property(shuffled(anyReport(fc.constant("tablet"))), ([inTime, asArrived]) => {
        expect(mergeAll(asArrived).progress.position).toEqual(inTime.at(-1)!.position);
      }),
    );
  });

  it("among devices that read on is that of the furthest, in whatever order reports arrive", () => {
    fc.assert(
      fc.property(shuffled(anyReport(fc.constantFrom("tablet", "phone", "desk"))), ([inTime, asArrived]) => {
        const readOn = (all: readonly Report[]) =>
          all.filter((one) =>
            inTime.every(
              (other) =>
                other.device !== one.device ||
                other.at >= one.at ||
                fractionOf(other.position) <= fractionOf(one.position),
            ),
          );
        const furthest = Math.max(...readOn(inTime).map(({ position }) => fractionOf(position)));
        const { progress } = mergeAll(readOn(asArrived));
        expect(fractionOf(progress.position!)).toBe(furthest);
      }),
    );
  });

  it("never moves back for a report that is older than what its device has said", () => {
    fc.assert(
      fc.property(shuffled(anyReport(fc.constantFrom("tablet", "phone"))), ([, asArrived]) => {
        const before = mergeAll(asArrived);
        const latest = new Map(asArrived.map(({ device, at }) => [device, at]));
        for (const { device, at } of asArrived) latest.set(device, Math.max(at, latest.get(device)!));
        for (const [device, at] of latest)
          expect(mergeAll([...asArrived, reportOf({ device, at: at - 1, page: 0 })]).progress.position).toEqual(
            before.progress.position,
          );
      }),
    );
  });

  it.each([
    [
      "goes back with the device that was furthest",
      [
        ["tablet", 9, 1],
        ["tablet", 4, 2],
      ],
      4,
    ],
    [
      "stays where another device is further",
      [
        ["tablet", 9, 1],
        ["phone", 4, 2],
      ],
      9,
    ],
    [
      "stays gone back when an older push of another device comes late",
      [
        ["tablet", 9, 1],
        ["tablet", 2, 5],
        ["phone", 6, 3],
      ],
      2,
    ],
    [
      "goes on with a device that was further than what was gone back from",
      [
        ["tablet", 9, 1],
        ["tablet", 2, 5],
        ["phone", 15, 3],
      ],
      15,
    ],
    [
      "goes to the device that has read on since, when the going back is told late",
      [
        ["tablet", 9, 1],
        ["phone", 7, 8],
        ["tablet", 2, 5],
      ],
      7,
    ],
  ] as const)("%s", (_, told, expected) => {
    expect(pageOf(told.map(([device, page, at]) => reportOf({ device, page, at })))).toBe(expected);
  });

  it("goes back when the user did so on purpose, whichever device was further, and stays there", () => {
    const back = reportOf({ device: "phone", page: 3, at: 20, mayGoBack: true });
    const late = reportOf({ device: "desk", page: 12, at: 15 });
    expect(pageOf([reportOf({ page: 9, at: 10 }), back, late])).toBe(3);
  });

  it("never goes back for a program that only hints at what is read", () => {
    const hint = (page: number, at: number) => reportOf({ page, at, onlyForward: true });
    expect(pageOf([hint(6, 1), hint(5, 2), hint(7, 3)])).toBe(7);
  });
});

describe("a completion", () => {
  const end = reportOf({ page: 19, at: 100 });

  it("comes with the end of the work, or when the device says so, and stays when the reader turns back", () => {
    expect(mergeAll([end]).progress).toMatchObject({ completed: true, finishedAt: 100, timesFinished: 1 });
    expect(mergeAll([reportOf({ page: 5, at: 1, completed: true })]).progress.completed).toBe(true);
    expect(mergeAll([reportOf({ page: 19, at: 1, completed: false })]).progress.completed).toBe(false);
    expect(mergeAll([end, reportOf({ page: 3, at: 200 })]).progress).toMatchObject({
      completed: true,
      finishedAt: 100,
    });
  });

  it("counts when it is told late, and moves nothing", () => {
    const { progress } = mergeAll([reportOf({ page: 5, at: 200 }), end]);
    expect([progress.completed, progress.position, progress.readAt]).toEqual([
      true,
      { kind: "page", page: 5, pages: 20 },
      200,
    ]);
  });

  it("is taken back when the work is begun again, and what was read before decides nothing then", () => {
    const again = reportOf({ page: 0, at: 300, restart: true });
    const { progress } = mergeAll([end, again, reportOf({ page: 12, at: 250, device: "phone" })]);
    expect(progress).toMatchObject({ completed: false, timesFinished: 1, position: { page: 0 } });
    expect(mergeAll([end, again, reportOf({ page: 19, at: 400 })]).progress.timesFinished).toBe(2);
  });

  it("is taken back by reading the beginning a day later, on a device that cannot say so", () => {
    const later = (page: number, more: Partial<Report> = {}) =>
      mergeAll([end, reportOf({ page, at: 100 + 25 * hour, device: "phone", ...more })]).progress.completed;
    expect([later(1), later(10), later(1, { mayGoBack: true }), later(1, { onlyForward: true })]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(mergeAll([end, reportOf({ page: 1, at: 100 + 2 * hour })]).progress.completed).toBe(true);
  });
});

describe("what is counted", () => {
  it("is every page once, however reports arrive", () => {
    const report = fc.record({
      page: fc.integer({ min: 0, max: 19 }),
      at: fc.integer({ min: 1, max: 1000 }),
      device: fc.constantFrom("tablet", "phone"),
    });
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 12 }), (all) => {
        expect(mergeAll(all.map(reportOf)).pages).toBe(Math.max(...all.map(({ page }) => page)) + 1);
      }),
    );
  });

  it("is counted again when the work is begun again on another day, and not within hours", () => {
    const twice = (at: number) =>
      mergeAll([
        reportOf({ page: 19, at: 1 }),
        reportOf({ page: 0, at, restart: true }),
        reportOf({ page: 19, at: at + 1 }),
      ]);
    expect([twice(hour), twice(13 * hour)].map(({ pages, finished }) => [pages, finished])).toEqual([
      [20, 1],
      [40, 2],
    ]);
  });

  it("is seconds for recordings, and pages for places in text when the work has pages", () => {
    const listened = (seconds: number, at: number) =>
      reportOf({ page: 0, at, position: { kind: "time", seconds, duration: 3600 } });
    const merged = mergeReport(nothingRead, [], listened(90.7, 1))!;
    expect([merged.gainedSeconds, merged.gainedPages]).toEqual([90, 0]);
    expect(mergeReport(merged.progress, [], listened(3590, 2))).toMatchObject({ gainedSeconds: 3500, finished: true });
    const known = { ...nothingRead, measures: { ...nothingRead.measures, pages: 200 } };
    const located = reportOf({ page: 0, at: 1, position: { kind: "locator", locator: "x", fraction: 0.25 } });
    expect(mergeReport(known, [], located)).toMatchObject({ gainedPages: 50, finished: false });
  });

  it("is the time between two places in a text on one device, unless the reader was away", () => {
    const minute = 60_000;
    const located = (fraction: number, minutes: number, pages?: number) =>
      reportOf({ page: 0, at: 1 + minutes * minute, position: { kind: "locator", locator: "x", fraction, pages } });
    const first = located(0.1, 0, 200);
    const begun = mergeReport(nothingRead, [], first)!;
    expect([begun.gainedPages, begun.gainedSeconds]).toEqual([20, 0]);
    const later = (report: Report) => {
      const { gainedPages, gainedSeconds } = mergeReport(begun.progress, [first], report)!;
      return [gainedPages, gainedSeconds];
    };
    // Another program counts other pages: the first count holds.
    expect(later(located(0.15, 2, 900))).toEqual([10, 120]);
    expect(later(located(0.1, 2))).toEqual([0, 0]);
    expect(later(located(0.15, 60))).toEqual([10, 0]);
    expect(later({ ...located(0.15, 2), device: "phone" })).toEqual([10, 0]);
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { endOf, fractionOf, isEnd, measuresWith, pageAt, placesOf } from "../src/progress/places.js";

const unmeasured = { pages: undefined, durationSeconds: undefined, locator: undefined };

it("finds the same page again through its fraction, in works of any length", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (pages, part) => {
      const page = Math.min(pages - 1, Math.floor(part * pages));
      expect(pageAt(fractionOf({ kind: "page", page, pages }), pages)).toBe(page);
      const sent = Number(fractionOf({ kind: "page", page, pages }).toFixed(4));
      if (pages < 900) expect(pageAt(sent, pages)).toBe(page);
    }),
  );
});

it("names one place by page, by locator and by time, as far as the work is known to have them", () => {
  const measures = { pages: 200, durationSeconds: 7200, locator: { text: "epubcfi(/6/4!/2)", fraction: 0.5 } };
  expect(placesOf({ kind: "page", page: 99, pages: 200 }, measures)).toEqual({
    page: { kind: "page", page: 99, pages: 200 },
    locator: { kind: "locator", locator: "epubcfi(/6/4!/2)", fraction: 0.5 },
    time: { kind: "time", seconds: 3600, duration: 7200 },
  });
  expect(placesOf({ kind: "page", page: 120, pages: 200 }, measures).locator).toBeUndefined();
  expect(placesOf({ kind: "locator", locator: "here", fraction: 0.2 }, unmeasured)).toEqual({
    locator: { kind: "locator", locator: "here", fraction: 0.2 },
  });
});

it("knows the end of works of every kind", () => {
  expect(isEnd({ kind: "page", page: 198, pages: 200 })).toBe(false);
  expect(isEnd({ kind: "page", page: 199, pages: 200 })).toBe(true);
  expect(isEnd({ kind: "locator", locator: "", fraction: 0.99 })).toBe(false);
  expect(isEnd({ kind: "locator", locator: "", fraction: 0.997 })).toBe(true);
  expect(isEnd({ kind: "time", seconds: 7100, duration: 7200 })).toBe(false);
  expect(isEnd({ kind: "time", seconds: 7175, duration: 7200 })).toBe(true);
  expect(isEnd({ kind: "time", seconds: 7175, duration: 0 })).toBe(false);
});

it("remembers what positions say of the work, and where its end is", () => {
  const paged = measuresWith(unmeasured, { kind: "page", page: 3, pages: 40 });
  const timed = measuresWith(paged, { kind: "time", seconds: 3, duration: 600 });
  const unknown = measuresWith(timed, { kind: "time", seconds: 3, duration: 0 });
  expect(unknown).toEqual({ pages: 40, durationSeconds: 600, locator: undefined });
  expect([endOf("time", unknown), endOf(undefined, unknown), endOf(undefined, unmeasured)]).toEqual([
    { kind: "time", seconds: 600, duration: 600 },
    { kind: "page", page: 39, pages: 40 },
    { kind: "locator", locator: "", fraction: 1 },
  ]);
});

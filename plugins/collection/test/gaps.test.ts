import { expect, it } from "vitest";
import { gapsOf } from "../src/client/gaps.js";

it("names the numbers that are missing, and counts those beyond the tenth gap", () => {
  const gap = (from: number, to = from) => ({ from, to });
  expect(gapsOf({ gaps: [] })).toBe("");
  expect(gapsOf({ gaps: [gap(4), gap(6, 8)] })).toBe("4, 6–8");
  const many = Array.from({ length: 12 }, (_, index) => gap(index * 2));
  expect(gapsOf({ gaps: many })).toBe("0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 2 more");
});

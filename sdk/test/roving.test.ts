import { expect, it } from "vitest";
import { nextCell } from "../src/ui/lists/roving.js";

/**
 * Ten cells in four columns:
 * 0 1 2 3
 * 4 5 6 7
 * 8 9
 */
it.each([
  ["ArrowRight", 3, 4],
  ["ArrowRight", 9, 9],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 1, 5],
  ["ArrowDown", 6, 6],
  ["ArrowUp", 5, 1],
  ["ArrowUp", 2, 2],
  ["Home", 7, 0],
  ["End", 2, 9],
  ["PageDown", 0, 9],
  ["PageUp", 9, 0],
])("%s moves the focus from cell %i to %i", (key, at, next) => {
  expect(nextCell(key, at, { count: 10, columns: 4 })).toBe(next);
});

it("leaves keys alone that mean nothing in a grid", () => {
  expect(nextCell("Enter", 0, { count: 10, columns: 4 })).toBeUndefined();
});

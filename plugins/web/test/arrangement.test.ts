import { describe, expect, it } from "vitest";
import { inOrder, moved } from "../client/src/shell/arrangement.js";

const arranged = (parts: string, order: string) => inOrder([...parts], (part) => part, [...order]).join("");

describe("parts that a user arranged", () => {
  it("stand in the user's order", () => {
    expect(arranged("abcd", "dcba")).toBe("dcba");
    expect(arranged("abcd", "")).toBe("abcd");
  });

  it("leave out what is gone, and put what is new after the part that it usually follows", () => {
    expect(arranged("ad", "dcba")).toBe("da");
    expect(arranged("abcd", "dca")).toBe("dcab");
    expect(arranged("abcd", "cb")).toBe("acdb");
  });

  it("move by one place, and not beyond the ends", () => {
    const keys = ["a", "b", "c"];
    expect([moved(keys, "b", -1), moved(keys, "c", 1), moved(keys, "a", -1), moved(keys, "x", 1)]).toEqual([
      ["b", "a", "c"],
      keys,
      keys,
      keys,
    ]);
  });
});

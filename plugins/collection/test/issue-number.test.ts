import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { foldIssueNumber } from "@longbox/collection/contract";
import { parseIssueNumber } from "../src/issues/issue-number.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/filenames/issue-numbers.jsonl", import.meta.url));
const byKey = (left: string, right: string) => {
  const [one, other] = [parseIssueNumber(left).sortKey, parseIssueNumber(right).sortKey];
  return one < other ? -1 : one > other ? 1 : 0;
};

describe("issue numbers", () => {
  it("sort as people count", () => {
    const ordered = [
      "-10",
      "-1.5",
      "-1",
      "-½",
      "0",
      "¼",
      "½",
      "1",
      "1.5",
      "1A",
      "1.MU",
      "2",
      "9",
      "10",
      "99",
      "100",
      "1000000",
      "X",
      "∞",
      "Annual 1",
      "Annual 2",
      "Annual 10",
      "Special 1",
    ];
    expect(ordered.toReversed().toSorted(byKey)).toEqual(ordered);
  });

  it.each([
    ["001", "1"],
    ["#12", "12"],
    ["0", "0"],
    ["000", "0"],
    ["01A", "1A"],
    ["1.0", "1"],
    ["½", "½"],
    ["1/2", "½"],
    ["2 1/2", "2½"],
    ["0.5", "0.5"],
    ["annual #3", "Annual 3"],
    ["Annual", "Annual"],
    ["−2", "-2"],
    [" 7 ", "7"],
    ["", ""],
  ])("%j reads %j", (written, text) => expect(parseIssueNumber(written).text).toBe(text));

  it("fold to the same text however other programs write them", () => {
    const same = ["½ 0.5", "1½ 1.5", "#001 1", "1.0 1", "-1 −1", "1A 1a", ".5 ½", "007 7", "0 00"];
    for (const [one, other] of same.map((pair) => pair.split(" ") as [string, string]))
      expect(foldIssueNumber(one), one).toBe(foldIssueNumber(other));
    const different = ["1/10", "1/-1", "1/1.1", "1/1.MU", "1/Annual 1", "10/1", "1.05/1.5", "100/1"];
    for (const [one, other] of different.map((pair) => pair.split("/") as [string, string]))
      expect(foldIssueNumber(one), one).not.toBe(foldIssueNumber(other));
  });

  it("mean the same however they are written, and never the same as another kind", () => {
    const key = (written: string, kind?: "issue" | "annual" | "collected") => parseIssueNumber(written, kind).sortKey;
    expect(key("½")).toBe(key("0.5"));
    expect(key("Annual 1")).toBe(key("1", "annual"));
    expect(key("1a")).toBe(key("1 A"));
    expect(
      new Set([key("1"), key("1", "annual"), key("1", "collected"), key("1A"), key("1.1"), key("1.10"), key("11")])
        .size,
    ).toBe(7);
  });

  it(
    "have the numeric values of the corpus",
    needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
    () => {
      const rows = readFileSync(corpus, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { input: string; as_number: number | null });
      expect(rows.map(({ input }) => [input, parseIssueNumber(input).value ?? null])).toEqual(
        rows.map(({ input, as_number }) => [input, as_number]),
      );
    },
  );

  it("sort by value whatever their length, sign and decimals", () => {
    const decimal = fc
      .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 999 }))
      .map(([whole, part]) => `${whole}${part === 0 ? "" : `.${String(part).padStart(3, "0")}`}`);
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const [one, other] = [Number(left), Number(right)];
        expect(Math.sign(byKey(left, right))).toBe(Math.sign(one - other));
      }),
      { numRuns: 2000 },
    );
  });

  it("can be any text, and reading what was read changes nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 20 }),
          fc.stringMatching(/^[-#]?\d{0,4}[.½¼]?\d{0,2}[A-Za-z ]{0,4}$/),
        ),
        (written) => {
          const once = parseIssueNumber(written);
          const twice = parseIssueNumber(once.text, once.kind);
          expect([twice.kind, twice.sortKey]).toEqual([once.kind, once.sortKey]);
          expect(once.value === undefined || Number.isFinite(once.value)).toBe(true);
        },
      ),
      { numRuns: 30000 },
    );
  });
});

import { foldText, foldTitle, foldWords } from "@longbox/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("folding titles", () => {
  it.each([
    ["The Móth & Candle: Year-One!", "moth and candle year one"],
    ["L’Étranger", "Etranger"],
    ["O'Brien", "O’Brien"],
    ["Das Große Haus", "GROSSE HAUS"],
    ["20,000 Leagues", "20000 leagues"],
    ["Ｍｏｔｈ", "moth"],
    ["ﬁre", "Fire"],
    ["Salt Road, The", "the Salt Road"],
    ["Les Misérables", "miserables"],
  ])("%j is the same title as %j", (one, other) => expect(foldTitle(one)).toBe(foldTitle(other)));

  it.each([
    ["Moth", "Moths"],
    ["Moth 1", "Moth 10"],
    ["Moth 2.5", "Moth 25"],
    ["Moth 010", "Moth 10"],
    ["!!!", "???"],
    ["が", "か"],
    ["Theory", "ory"],
  ])("%j is not %j", (one, other) => expect(foldTitle(one)).not.toBe(foldTitle(other)));

  it("leaves a title that is only an article or punctuation", () => {
    expect([foldTitle("The"), foldTitle(" A "), foldTitle("!!!"), foldTitle("")]).toEqual(["the", "a", "!!!", ""]);
  });

  it("agrees with the folding of texts: what it finds equal, titles find equal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        expect(foldTitle(foldText(text))).toBe(foldTitle(text));
        expect(foldText(foldTitle(text))).toBe(foldTitle(text));
        expect(foldWords(foldWords(text))).toBe(foldWords(text));
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});

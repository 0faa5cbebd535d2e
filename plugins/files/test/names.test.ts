import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { parseFolderName, parseName } from "../src/names/parse-name.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/filenames/", import.meta.url));
const rows = <T>(file: string) =>
  readFileSync(corpus + file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

describe("a file's name", () => {
  it.each([
    ["Naruto v01 c003.cbz", "Naruto", "3", "issue"],
    ["ナルト 第3巻.cbz", "ナルト", "Vol. 3", "collected"],
    ["Batman 050 (2018) (Digital).cbz", "Batman", "50", "issue"],
    ["2000AD 1234 (2001).cbz", "2000AD", "1234", "issue"],
    ["100 Bullets 012.cbz", "100 Bullets", "12", "issue"],
    ["100 Bullets (2010).cbz", "100 Bullets", undefined, "issue"],
    ["Les Aventures - Tome 03 - Le Lotus.cbz", "Les Aventures", "Vol. 3", "collected"],
    ["Moth Patrol - 001-006 (2019) (TPB).cbz", "Moth Patrol", "1-6", "collected"],
    ["Saga v01 (TPB) (2012).cbz", "Saga", "TPB 1", "collected"],
    ["X-Men '92 003 (2016).cbz", "X-Men '92", "3", "issue"],
    ["Deadpool -1 (1997).cbz", "Deadpool", "-1", "issue"],
    ["Spider-Man 2099 003 (1993).cbz", "Spider-Man 2099", "3", "issue"],
    ["Moth Patrol Annual 002 (2020).cbz", "Moth Patrol", "Annual 2", "annual"],
    ["Moth Patrol Omnibus v02 (2021).cbz", "Moth Patrol", "Omnibus 2", "collected"],
    ["Moth.Patrol.007.2019.Digital.cbz", "Moth Patrol", "7", "issue"],
    ["Moth_Patrol_1.5_(of_6)_(May_2019).cbz", "Moth Patrol", "1.5", "issue"],
    ["Moth Patrol 03 of 06 (2019-05).cbz", "Moth Patrol", "3", "issue"],
    ["001.cbz", undefined, "1", "issue"],
    ["Chapter 12.5.cbz", undefined, "12.5", "issue"],
    ["Vol. 3 Ch. 12 - The Lamp.cbz", undefined, "12", "issue"],
    ["Moth Patrol Special 1 (2019).cbz", "Moth Patrol", "Special 1", "special"],
    ["Moth Patrol One-Shot (2019).cbz", "Moth Patrol", undefined, "one-shot"],
    ["Moth Patrol 12A (2019).cbz", "Moth Patrol", "12A", "issue"],
    ["Moth Patrol ½ (2019).cbz", "Moth Patrol", "½", "issue"],
    ["Moth Patrol #1.MU (2016).cbz", "Moth Patrol", "1.MU", "issue"],
    ["The 2nd Night.cbz", "The 2nd Night", undefined, "issue"],
    ["Moth Patrol (2019) 001.cbz", "Moth Patrol", "1", "issue"],
  ])("%s is %s, %s", (name, series, number, kind) => {
    const parsed = parseName(name);
    expect([parsed.series, parsed.number, parsed.kind]).toEqual([series, number, kind]);
  });

  it("is read with the folder's help", () => {
    expect(parseName("Area 51 20.cbz", { series: "Area 51" })).toMatchObject({ series: "Area 51", number: "20" });
    expect(parseName("Bleach 567 Down With Snowwhite.cbz", { series: "Bleach" })).toMatchObject({
      series: "Bleach",
      number: "567",
      title: "Down With Snowwhite",
    });
  });

  it("never makes the parser throw or hang, whatever it is (2,000 random names)", () => {
    const odd = fc.array(
      fc.oneof(
        fc.constantFrom(
          "(",
          ")",
          "[",
          "#",
          "v",
          "ch.",
          "Annual",
          "1",
          "½",
          "-",
          ".",
          "_",
          " ",
          "of",
          "2019",
          "TPB",
          "第",
          "巻",
        ),
        fc.string({ unit: "binary", maxLength: 4 }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(odd, fc.option(fc.string(), { nil: undefined }), (parts, series) => {
        const parsed = parseName(`${parts.join("")}.cbz`, { series });
        expect(parsed.series === undefined || parsed.series.length > 0).toBe(true);
      }),
      { numRuns: 2000, seed: 11 },
    );
  });

  it("reads back what the naming pattern writes (500 random issues)", () => {
    const word = fc.constantFrom("Moth", "Patrol", "Lamp", "Gravel", "Saints", "Night", "Bell", "Orbital");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 1500 }),
        fc.constantFrom("", ".5", "A", ".MU"),
        fc.integer({ min: 1930, max: 2040 }),
        (words, number, suffix, year) => {
          const parsed = parseName(`${words.join(" ")} ${String(number).padStart(3, "0")}${suffix} (${year}).cbz`);
          expect([parsed.series, parsed.number, parsed.year]).toEqual([words.join(" "), `${number}${suffix}`, year]);
        },
      ),
      { numRuns: 500, seed: 12 },
    );
  });
});

describe("a folder's name", () => {
  it.each([
    ["Moth Patrol (2019) [cv-4711]", { name: "Moth Patrol", year: 2019, volume: undefined, cvId: 4711 }],
    ["Moth Patrol v2 (2019)", { name: "Moth Patrol", year: 2019, volume: 2, cvId: undefined }],
    ["2000AD", { name: "2000AD", year: undefined, volume: undefined, cvId: undefined }],
  ])("%s", (name, expected) => expect(parseFolderName(name)).toEqual(expected));
});

/**
 * The corpora come from other projects, each with conventions of its own (one of them takes the words after a dash for
 * a title, another numbers ordinals), so that no parser is right about all names of all of them.
 */
describe(
  "the corpora of names",
  needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
  () => {
    it("comictagger: the shares that are right", () => {
      type Row = { input: string; expected: { series: string; issue: string; year: string } };
      const all = rows<Row>("comictagger-parse.jsonl");
      const right = { series: 0, issue: 0, year: 0 };
      for (const { input, expected } of all) {
        const parsed = parseName(input);
        const series = `${parsed.series ?? ""}${parsed.kind === "annual" ? " Annual" : ""}`;
        if (series === expected.series) right.series++;
        if ((parsed.number ?? "").replace(/^(Annual|Vol\.) /, "") === expected.issue) right.issue++;
        if ((parsed.year?.toString() ?? "") === expected.year) right.year++;
      }
      process.stderr.write(
        `comictagger names: series ${right.series}/${all.length}, issue ${right.issue}/${all.length}, year ${right.year}/${all.length}\n`,
      );
      expect(right.series).toBeGreaterThanOrEqual(59);
      expect(right.issue).toBeGreaterThanOrEqual(64);
      expect(right.year).toBeGreaterThanOrEqual(63);
    });

    it("mihon: the share of chapter numbers that is right", () => {
      type Row = { input: string; series: string; expected: { chapter: number } };
      const parts: Readonly<Record<string, number>> = { a: 0.1, b: 0.2, extra: 0.99, omake: 0.98, special: 0.97 };
      const all = rows<Row>("mihon-chapter-numbers.jsonl");
      const right = all.filter(({ input, series, expected }) => {
        const found = /^([\d.]+)\s?([a-z]+)?$/.exec(
          parseName(input, { series: series === "random" ? undefined : series }).number ?? "",
        );
        const chapter = found ? Number(found[1]) + (parts[found[2] ?? ""] ?? 0) : -1;
        return Math.abs(chapter - expected.chapter) < 1e-9;
      }).length;
      process.stderr.write(`mihon chapters: ${right}/${all.length}\n`);
      expect(right).toBeGreaterThanOrEqual(51);
    });
  },
);

it.each([
  ["moth_patrol-2.cbz", "2"],
  ["Moth Patrol-02.cbz", "2"],
  ["Moth Patrol -2.cbz", "-2"],
  ["Moth Patrol - 2.cbz", "2"],
])("takes a hyphen for a minus sign only after a blank: %s is %s", (name, number) => {
  expect(parseName(name, { series: "Moth Patrol" })).toMatchObject({ number, kind: "issue" });
});

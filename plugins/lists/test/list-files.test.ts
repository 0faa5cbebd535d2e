import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { parseListFile } from "../src/cbl/parse.js";
import { writeListFile } from "../src/cbl/write.js";
import { listFile } from "./support/list-files.js";

const read = (text: string) => parseListFile(Buffer.from(text));
const problem = (bytes: Uint8Array) => {
  try {
    parseListFile(bytes);
    return "none";
  } catch (fault) {
    return (fault as { details: { body: string } }).details.body;
  }
};

describe("reading list files", () => {
  it("takes books in order, duplicates too, with what they say of themselves", async () => {
    const text = listFile([
      { series: "Moth & Patrol", number: "1", volume: "2019", year: "2020", issue: 901 },
      { series: "Moth &amp; Candle", number: "½" },
      { series: "Moth & Patrol", number: "1", volume: "2019", year: "2020", issue: 901 },
      { series: "Odd", number: "5 [A]", issue: "not-a-number" },
      { series: "Other", number: "1.MU", issue: 7, database: "metron" },
    ]);
    const first = {
      series: "Moth & Patrol",
      number: "1",
      volume: "2019",
      year: "2020",
      cvIssueId: 901,
      volumeId: 5001,
    };
    expect(await read(text)).toEqual({
      name: "Lamplight Saga",
      books: [
        first,
        { series: "Moth &amp; Candle", number: "½", volume: "", year: "", cvIssueId: undefined, volumeId: undefined },
        first,
        { series: "Odd", number: "5 [A]", volume: "", year: "", cvIssueId: undefined, volumeId: 5001 },
        { series: "Other", number: "1.MU", volume: "", year: "", cvIssueId: undefined, volumeId: undefined },
      ],
    });
  });

  it("takes the provider's database of a book that names two", async () => {
    const text = `<ReadingList><Books><Book Series="A" Number="1"><Database Name="metron" Series="1" Issue="2"/><Database Name="CV" Series="3" Issue="4"/></Book></Books></ReadingList>`;
    expect((await read(text)).books).toMatchObject([{ cvIssueId: 4, volumeId: 3 }]);
  });

  it("reads whatever encoding a file has", async () => {
    const text = listFile([{ series: "Étoile filante", number: "½" }], "Straße");
    const wanted = await read(text);
    const utf16 = text.replace("utf-8", "utf-16");
    const swapped = Buffer.from(`\uFEFF${utf16}`, "utf16le").swap16();
    const latin = Buffer.from(text.replace("utf-8", "iso-8859-1"), "latin1");
    for (const bytes of [
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(`\uFEFF${utf16}`, "utf16le"),
      Buffer.from(utf16, "utf16le"),
      swapped,
      latin,
      Buffer.from(utf16),
      Buffer.from(text.replace(/<\?xml.*\?>\s*/, "")),
    ]) {
      expect(await parseListFile(bytes)).toEqual(wanted);
    }
    expect(wanted).toMatchObject({ name: "Straße", books: [{ series: "Étoile filante", number: "½" }] });
  });

  it("refuses what is no list file, and says why", async () => {
    const book = `<Book Series="A" Number="1"/>`;
    const bombs = `<!DOCTYPE ReadingList [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><ReadingList><Books><Book Series="&b;"/></Books></ReadingList>`;
    const outside = `<!DOCTYPE ReadingList SYSTEM "file:///etc/passwd"><ReadingList><Books>${book}</Books></ReadingList>`;
    const deep = `<ReadingList>${"<a>".repeat(1_000_000)}`;
    const cases: Array<[string | Uint8Array, RegExp]> = [
      ["", /empty/],
      ["   ", /not well-formed/],
      ["hello", /not well-formed/],
      ["<html><Books/></html>", /root is html/],
      [bombs, /document type/],
      [outside, /document type/],
      [deep, /deeper than/],
      [`<ReadingList><Books><Book Series="&unknown;"/></Books></ReadingList>`, /not well-formed/],
      [`<ReadingList><Books>${book}`, /not well-formed/],
      [`<ReadingList><Books>${book}</Books></ReadingList><more/>`, /not well-formed/],
      ["<ReadingList><Books/></ReadingList>", /no books/],
      [`<ReadingList><Books/><Matchers><ComicBookMatcher/></Matchers></ReadingList>`, /smart list/],
      [`<ReadingList><Books>${`<Book/>`.repeat(20_001)}</Books></ReadingList>`, /more than 20000/],
      [Buffer.from([0xff, 0xfe, 0x3c]), /not a text|not well-formed/],
      [
        Buffer.concat([
          Buffer.from(`<ReadingList><Name>`),
          Buffer.from([0xc3, 0x28]),
          Buffer.from("</Name></ReadingList>"),
        ]),
        /not a text in utf-8/,
      ],
      [`<?xml version="1.0" encoding="klingon"?><ReadingList/>`, /not a text in klingon/],
    ];
    for (const [bytes, reason] of cases)
      expect(await problem(typeof bytes === "string" ? Buffer.from(bytes) : bytes), String(reason)).toMatch(reason);
  });

  it("reads back whatever it writes", async () => {
    const word = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) =>
      text
        .replaceAll(/[\u0000-\u001f\ufffe\uffff]/g, "")
        .toWellFormed()
        .trim(),
    );
    const id = fc.integer({ min: 1, max: 999_999 });
    const count = fc.oneof(fc.constant(""), fc.integer({ min: 1900, max: 2100 }).map(String));
    const book = fc.record({
      series: word,
      number: word,
      volume: count,
      year: count,
      cvIssueId: id,
      volumeId: fc.option(id, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(word, fc.array(book, { minLength: 1, maxLength: 5 }), async (name, books) => {
        expect(await read(writeListFile({ name, books }))).toEqual({ name: name || undefined, books });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

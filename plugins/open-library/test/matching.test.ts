import { readFile } from "node:fs/promises";
import { translatedBy } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom, type BookSpec } from "./support/book-room.ts";
import type { WorkSpec } from "./support/stand-in.ts";

const authors: ReadonlyArray<readonly [string, string]> = [
  ["OL1A", "Ada Quill"],
  ["OL2A", "Ben Marsh"],
  ["OL3A", "Ada Mary Quill"],
];
const lowTides: WorkSpec = {
  id: "OL1W",
  title: "Low Tides",
  authors: ["OL1A"],
  year: 2001,
  description: "Salt & <b>wind</b>.",
  editions: [
    { id: "OL11M", title: "Low Tides", isbn: ["9780306406157"], language: ["eng"] },
    { id: "OL12M", title: "Ebbe", isbn: ["9783161484100"], language: ["ger"] },
  ],
};
const book: BookSpec = { title: "Low Tides", authors: ["Ada Quill"], language: "en", date: "2014" };

async function roomWith(...works: WorkSpec[]): Promise<BookRoom> {
  const room = await openBookRoom();
  for (const [id, name] of authors) room.standIn.authors.set(id, name);
  room.standIn.add(...works);
  return room;
}

const textsIn = async (language: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(new URL(`../messages/${language}.json`, import.meta.url), "utf8")).texts;

async function match(room: BookRoom, spec: BookSpec) {
  const { cvIssueId } = await room.place(spec);
  return (await room.host.as("admin").post(`/api/open-library/books/${cvIssueId}/match`, {})).body;
}

describe("a book is matched automatically", () => {
  it.each<[string, BookSpec, string[]]>([
    ["by its ISBN", { ...book, ids: { isbn: "0-306-40615-2" } }, ["same ISBN 9780306406157", "same title"]],
    [
      "by the ISBN of a translation, whose title is that of its edition",
      { title: "Ebbe", authors: ["Quill, Ada"], language: "de", ids: { isbn: "9783161484100" } },
      ["same ISBN 9783161484100", "same title"],
    ],
    ["by title, author and language", book, ["same title", "same author", "an edition in its language"]],
    [
      "by title and author, the last name first, in the year of the first edition",
      { title: "The Low Tides", authors: ["QUILL, Ada"], date: "2001" },
      ["same title", "same author", "same year 2001"],
    ],
    ["by the id inside the file", { title: "?", ids: { openlibrary: "/books/OL11M" } }, ["the id inside the file"]],
  ])("%s", async (_, spec, reasons) => {
    await using room = await roomWith(lowTides);
    const answer = await match(room, spec);
    expect(answer).toMatchObject({ state: "matched", workId: "OL1W", candidates: [] });
    expect(answer.reasons).toEqual(expect.arrayContaining(reasons));
    for (const language of ["de", "ar"]) {
      const said = translatedBy([await textsIn(language)]);
      expect(answer.reasons.filter((reason: string) => said(reason) === undefined)).toEqual([]);
    }
  });

  it("is described, and keeps its title", async () => {
    await using room = await roomWith(lowTides);
    const { cvIssueId } = await match(room, {
      ...book,
      title: "Low tides (Unabridged edition)",
      ids: { isbn: "9780306406157" },
    });
    const { body } = await room.host.as("viewer").get(`/api/issue/${cvIssueId}`);
    expect(body).toMatchObject({
      title: "Low tides (Unabridged edition)",
      description: "<p>Salt &amp; wind.</p>",
      url: `${room.standIn.origin}/works/OL1W`,
      credits: [{ name: "Ada Quill", role: "author" }],
    });
  });
});

const sameTitle: WorkSpec = {
  ...lowTides,
  id: "OL2W",
  authors: ["OL2A"],
  editions: [{ id: "OL21M", language: ["eng"] }],
};

describe("a book waits for a person, with reasons,", () => {
  it.each<[string, BookSpec, WorkSpec[], string]>([
    [
      "when another author's book has its title, and that of its author is in another language",
      { ...book, language: "pl" },
      [sameTitle, lowTides],
      "no edition in its language (pl)",
    ],
    ["when two works have its title and author", book, [lowTides, { ...lowTides, id: "OL3W" }], "same author"],
    ["when its author is unknown", { title: "Low Tides", language: "en" }, [lowTides], "author unknown"],
    [
      "when the author may be another of that name",
      { ...book, authors: ["A. Quill"] },
      [{ ...lowTides, authors: ["OL3A"] }],
      "author Ada Mary Quill",
    ],
    [
      "when there is no edition in its language",
      { ...book, language: "pl" },
      [lowTides],
      "no edition in its language (pl)",
    ],
    ["when it is older than the work", { ...book, date: "1990" }, [lowTides], "first published in 2001, after 1990"],
    [
      "when the work is a collection and the book is not",
      { title: "Tides", authors: ["Ada Quill"], language: "en" },
      [{ ...lowTides, title: "Tides", subtitle: "The Complete Trilogy" }],
      "only one of them is a collection",
    ],
    [
      "when the book is a collection and the work is not",
      { ...book, title: "Low Tides (Tides Omnibus)" },
      [lowTides],
      "only one of them is a collection",
    ],
    [
      "when it has another number in the series",
      { ...book, series: "Tides", number: "3" },
      [{ ...lowTides, series: [{ name: "Tides", position: "2" }] }],
      "number 2 of the series instead of 3",
    ],
    [
      "when many books have such a title",
      { title: "Poems", authors: ["Ada Quill"], language: "en" },
      [{ ...lowTides, title: "Poems" }],
      "same title",
    ],
    [
      "when its ISBN is that of quite another book",
      { title: "High Water", authors: ["Ada Quill"], ids: { isbn: "9780306406157" } },
      [lowTides],
      "same ISBN 9780306406157",
    ],
    [
      "when two works have its ISBN",
      { ...book, ids: { isbn: "9780306406157" } },
      [lowTides, { ...lowTides, id: "OL3W" }],
      "same ISBN 9780306406157",
    ],
    [
      "when its ISBN is that of an edition in another language",
      { ...book, title: "Ebbe", ids: { isbn: "9783161484100" } },
      [lowTides],
      "no edition in its language (en)",
    ],
    [
      "when only titles without the subtitle are the same",
      { ...book, title: "Low Tides: A Life" },
      [lowTides],
      "same title, apart from the subtitle",
    ],
  ])("%s", async (_, spec, works, reason) => {
    await using room = await roomWith(...works);
    const answer = await match(room, spec);
    expect(answer).toMatchObject({ state: "review", workId: null });
    expect(answer.candidates[0].reasons).toContain(reason);
    expect((await room.host.as("admin").get("/api/open-library/review")).body).toMatchObject({ total: 1 });
  });
});

it("is not found when only another author's book has its title", async () => {
  await using room = await roomWith(sameTitle);
  expect(await match(room, book)).toMatchObject({ state: "unknown", candidates: [] });
});

import { LibraryTypes } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openShelf, type Shelf } from "./support/shelf.js";

const bookTypes = {
  manifest: {
    id: "book-types",
    title: "Book types",
    description: "Library types of a test",
    sdk: "^1.0.0",
    contributes: { libraryTypes: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      const add = (id: string, one: string, length: "fraction" | "seconds") =>
        context.contribute(LibraryTypes, {
          id,
          label: id,
          words: { unit: { one, other: `${one}s` }, length, named: "by-title" },
        });
      add("ebook", "book", "fraction");
      add("audiobook", "audiobook", "seconds");
    },
  }),
};

interface BookSpec {
  readonly title?: string;
  readonly author?: string;
  readonly narrator?: string;
  readonly language?: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly series?: string;
}

async function openBooks() {
  const shelf = await openShelf({ plugins: ["operations", bookTypes] });
  const libraries = new Map<string, number>();
  for (const type of ["ebook", "audiobook"]) {
    const rootFolder = join(shelf.root, type);
    await mkdir(rootFolder);
    const made = await shelf.host.as("admin").post("/api/libraries", { name: type, type, rootFolder });
    libraries.set(type, made.body.id);
  }
  const place = (type: "ebook" | "audiobook", spec: BookSpec = {}) =>
    placeBook(shelf, { type, libraryId: libraries.get(type)!, spec });
  const formsOf = async (cvIssueId: number, role = "admin") =>
    (await shelf.host.as(role).get(`/api/issue/${cvIssueId}/forms`)).body;
  return { shelf, place, formsOf };
}

async function placeBook(
  shelf: Shelf,
  { type, libraryId, spec }: { type: string; libraryId: number; spec: BookSpec },
): Promise<{ cvIssueId: number; seriesId: number }> {
  const { title = "Low Tides", author = "Ada Quill", narrator, language, ids, series = author } = spec;
  const folder = join(shelf.root, type, series);
  const credits = [
    { name: author, role: "author" },
    ...(narrator === undefined ? [] : [{ name: narrator, role: "narrator" }]),
  ];
  const [placed] = await shelf.place({
    series,
    number: "",
    folder,
    path: join(folder, `${title}${narrator ?? ""}.${type}`),
    ofIssue: { title, credits, language, ids },
    change: { libraryId, pages: 0 },
  });
  return { cvIssueId: -placed!.issueId, seriesId: placed!.seriesId };
}

describe("an e-book and an audiobook", () => {
  it("of one title and author are linked by themselves, and stay apart once a person said so", async () => {
    const { shelf, place, formsOf } = await openBooks();
    await using _ = shelf;
    const book = await place("ebook");
    const audio = await place("audiobook", { author: "Quill, Ada", narrator: "Ben Marsh" });
    const linked = { forms: [{ cvIssueId: audio.cvIssueId, unit: "audiobook", label: { full: "Low Tides" } }] };
    await expect.poll(() => formsOf(book.cvIssueId, "viewer")).toMatchObject(linked);
    const admin = shelf.host.as("admin");
    expect((await admin.delete(`/api/issue/${audio.cvIssueId}/forms`)).body).toEqual({ forms: [], proposed: [] });
    await runLinking(shelf);
    expect(await formsOf(book.cvIssueId)).toEqual({ forms: [], proposed: [] });
    await admin.post(`/api/issue/${book.cvIssueId}/forms`, { cvIssueId: audio.cvIssueId });
    expect(await formsOf(book.cvIssueId)).toMatchObject(linked);
  });

  it("of other titles are linked where they share an id", async () => {
    const { shelf, place, formsOf } = await openBooks();
    await using _ = shelf;
    const book = await place("ebook", { title: "Ebbe", ids: { openlibrary: "OL1W" } });
    const audio = await place("audiobook", { ids: { openlibrary: "OL1W" } });
    await expect.poll(() => formsOf(book.cvIssueId)).toMatchObject({ forms: [{ cvIssueId: audio.cvIssueId }] });
  });

  it.each<[string, BookSpec, BookSpec[]]>([
    ["that have only the title in common", {}, [{ author: "Ben Marsh" }]],
    ["of which one only reads what the other wrote", { author: "Ben Marsh" }, [{ narrator: "Ben Marsh" }]],
    ["in two languages", { language: "en" }, [{ language: "de" }]],
    ["that a provider knows as two works", { ids: { openlibrary: "OL1W" } }, [{ ids: { openlibrary: "OL2W" } }]],
    ["of which one is abridged", {}, [{ title: "Low Tides (Abridged)" }]],
    ["of which there are two recordings", {}, [{ series: "One" }, { series: "Two" }]],
  ])("%s are not linked", async (_, bookSpec, audioSpecs) => {
    const { shelf, place, formsOf } = await openBooks();
    await using __ = shelf;
    for (const spec of audioSpecs) await place("audiobook", spec);
    const book = await place("ebook", bookSpec);
    await runLinking(shelf);
    expect((await formsOf(book.cvIssueId)).forms).toEqual([]);
  });

  it("that are hidden are not named to others, nor linked by them", async () => {
    const { shelf, place, formsOf } = await openBooks();
    await using _ = shelf;
    const book = await place("ebook");
    const audio = await place("audiobook");
    await expect.poll(() => formsOf(book.cvIssueId)).toMatchObject({ forms: [{}] });
    const admin = shelf.host.as("admin");
    await admin.post(`/api/collection/${audio.seriesId}/restricted`, { restricted: true });
    await admin.post("/api/roles", {
      name: "keeper",
      label: "Keeper",
      permissions: ["library.view", "library.manage"],
    });
    const keeper = shelf.host.as("keeper");
    expect(await formsOf(book.cvIssueId, "keeper")).toEqual({ forms: [], proposed: [] });
    for (const answer of [
      await keeper.get(`/api/issue/${audio.cvIssueId}/forms`),
      await keeper.delete(`/api/issue/${audio.cvIssueId}/forms`),
      await keeper.post(`/api/issue/${book.cvIssueId}/forms`, { cvIssueId: audio.cvIssueId }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "collection/issue-not-found" } });
    const viewer = shelf.host.as("viewer");
    expect((await viewer.delete(`/api/issue/${book.cvIssueId}/forms`)).status).toBe(403);
    expect((await viewer.post(`/api/issue/${book.cvIssueId}/forms`, { cvIssueId: 1 })).status).toBe(403);
    expect((await formsOf(book.cvIssueId, "admin")).forms).toHaveLength(1);
  });
});

/** Looks at every work again: what was on its way before is done then, too. */
async function runLinking(shelf: Shelf): Promise<void> {
  const { body } = await shelf.host.as("admin").post("/api/tools/link-works", {});
  const job = async () => (await shelf.host.as("admin").get(`/api/jobs/${body.jobId}`)).body.state;
  await expect.poll(job, { timeout: 30_000 }).toBe("done");
}

import { definePlugin, systemViewer } from "@longbox/sdk";
import { LibraryTypes } from "@longbox/collection/contract";
import { expect, it } from "vitest";
import { openShelf } from "./support/shelf.js";

/** A plugin that brings a type of library whose works are known by their titles. */
const books = {
  manifest: { id: "tomes", title: "Tomes", description: "", sdk: "^1.0.0", contributes: { libraryTypes: "^1.0.0" } },
  plugin: definePlugin({
    activate: (_, context) =>
      void context.contribute(LibraryTypes, {
        id: "tome",
        label: "Tomes",
        words: { unit: { one: "book", other: "books" }, length: "fraction", named: "by-title" },
      }),
  }),
};

it("names issues by their number in the series, and books by their titles", async () => {
  await using shelf = await openShelf({ plugins: [books] });
  const [comic] = await shelf.place({ series: "Moth Patrol", number: "3", ofIssue: { title: "Lamps Out" } });
  const [annual] = await shelf.place({ series: "Moth Patrol", number: "Annual 2", kind: "annual" });
  const [book] = await shelf.place({ series: "Low Tides", number: "2", ofIssue: { title: "The Salt Road" } });
  const [bare] = await shelf.place({ series: "Low Tides", number: "4" });
  const admin = shelf.host.as("admin");
  await admin.post(`/api/collection/${book?.seriesId}/type`, { type: "tome" });
  const labels = async (seriesId: number | undefined) =>
    (await admin.get(`/api/collection/${seriesId}`)).body.issues.map((issue: { label: unknown }) => issue.label);
  expect(await labels(comic?.seriesId)).toEqual([
    { full: "Moth Patrol #3", short: "#3", within: "Lamps Out" },
    { full: "Moth Patrol Annual 2", short: "Annual 2", within: null },
  ]);
  expect(await labels(book?.seriesId)).toEqual([
    { full: "The Salt Road", short: "The Salt Road", within: "Low Tides, book 2" },
    { full: "Low Tides, book 4", short: "Low Tides, book 4", within: null },
  ]);
  const found = await shelf.library.findIssues([annual!.issueId, bare!.issueId], systemViewer);
  expect(found.map(({ label }) => label.full)).toEqual(["Moth Patrol Annual 2", "Low Tides, book 4"]);
});

it("says with each type of library what its works are called and how long they are measured", async () => {
  await using shelf = await openShelf({ plugins: [books] });
  const { body } = await shelf.host.as("viewer").get("/api/libraries");
  expect(body.types.map((type: any) => [type.id, type.words.unit.other, type.words.length])).toEqual([
    ["comic", "issues", "pages"],
    ["manga", "chapters", "pages"],
    ["tome", "books", "fraction"],
  ]);
});

it("names works in lists again that were read before the plugin of their type went", async () => {
  await using shelf = await openShelf({ plugins: [books] });
  const [book] = await shelf.place({ series: "Low Tides", number: "2", ofIssue: { title: "The Salt Road" } });
  await shelf.host.as("admin").post(`/api/collection/${book?.seriesId}/type`, { type: "tome" });
  const labels = async () => {
    const newest = await shelf.library.listRecentlyAdded({ limit: 10, offset: 0 }, systemViewer);
    const ofSeries = await shelf.library.listIssues(book!.seriesId, systemViewer);
    return [...newest.items, ...ofSeries].map(({ label }) => label.full);
  };
  expect(await labels()).toEqual(["The Salt Road", "The Salt Road"]);
  await shelf.host.disable("tomes");
  expect(await labels()).toEqual(["Low Tides #2", "Low Tides #2"]);
});

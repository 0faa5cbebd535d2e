import { Catalog, type ProviderWork } from "@longbox/collection/contract";
import { systemViewer, type Viewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openShelf, type Shelf } from "./support/shelf.js";

const lowTides: ProviderWork = {
  ids: { scheme: "openlibrary", values: ["OL1W", "OL11M"] },
  title: "Low Tides",
  authors: ["Ada Quill"],
  description: "<p>Salt.</p>",
  subjects: ["Sea stories"],
  language: "en",
  publishedOn: "2001",
  url: "https://openlibrary.org/works/OL1W",
};
const narrow: Viewer = { ...systemViewer, seesRestricted: false };
const wanted = { viewer: systemViewer, libraryTypes: ["comic"], why: "request", download: false } as const;

/** A book without a number, in the series of its author. */
async function placeBook(shelf: Shelf, title: string, series = "Ada Quill") {
  const folder = `${shelf.root}/comics/${series}`;
  const [placed] = await shelf.place({
    series,
    number: "",
    folder,
    path: `${folder}/${title}.epub`,
    ofIssue: {
      title,
      description: "From the file",
      credits: [
        { name: "A. Quill", role: "author" },
        { name: "Ben Reader", role: "narrator" },
      ],
    },
  });
  return placed!;
}

describe("a work that a provider describes", () => {
  it("keeps its title and the people in other roles, is found by the provider's ids, and is told to others", async () => {
    await using shelf = await openShelf();
    const { issueId } = await placeBook(shelf, "Low Tides: A Novel");
    const heard: number[] = [];
    const listening = shelf.library.onIssuesIdentified((ids) => void heard.push(...ids));
    await shelf.host.use(Catalog).describeWork(issueId, lowTides, systemViewer);
    await listening.release();
    const [found] = await shelf.library.findIssuesByIds("openlibrary", ["/works/OL1W"], narrow);
    expect(found?.issue).toMatchObject({ id: issueId, title: "Low Tides: A Novel", language: "en", coverDate: "2001" });
    const [detail] = await shelf.library.findIssueDetails([issueId]);
    expect(detail).toMatchObject({
      description: "<p>Salt.</p>",
      subjects: ["Sea stories"],
      credits: [
        { name: "Ada Quill", role: "author" },
        { name: "Ben Reader", role: "narrator" },
      ],
    });
    expect(heard).toEqual([issueId]);
  });

  it("is as the file says again when that is taken back", async () => {
    await using shelf = await openShelf();
    const { issueId } = await placeBook(shelf, "Low Tides");
    const catalog = shelf.host.use(Catalog);
    const former = await shelf.library.findIssueDetails([issueId]);
    const before = await catalog.describeWork(issueId, lowTides, systemViewer);
    await catalog.forgetWork(issueId, { scheme: "openlibrary", before }, systemViewer);
    expect(await shelf.library.findIssueDetails([issueId])).toEqual(former);
    expect(await shelf.library.findIds([issueId])).toEqual(new Map());
    expect((await shelf.library.findIssues([issueId], narrow))[0]).toMatchObject({ language: undefined });
  });

  it("is not there for a viewer from whom it is hidden", async () => {
    await using shelf = await openShelf();
    const { issueId, seriesId } = await placeBook(shelf, "Low Tides");
    await shelf.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    const catalog = shelf.host.use(Catalog);
    await expect(catalog.describeWork(issueId, lowTides, narrow)).rejects.toMatchObject({
      code: "collection/issue-not-found",
    });
    await catalog.describeWork(issueId, lowTides, systemViewer);
    await expect(catalog.addWork(lowTides, { ...wanted, viewer: narrow })).rejects.toMatchObject({
      code: "collection/work-not-found",
    });
  });
});

describe("a work that is wanted", () => {
  it("becomes the book that arrives in another series and is identified, and its series leads there", async () => {
    await using shelf = await openShelf();
    const catalog = shelf.host.use(Catalog);
    const asked = await catalog.addWork(lowTides, wanted);
    expect(await catalog.addWork(lowTides, wanted)).toEqual(asked);
    const list = async () => (await shelf.host.as("viewer").get("/api/wanted")).body;
    expect(await list()).toMatchObject([{ title: "Low Tides", series: "Ada Quill", why: "request" }]);
    const arrived = await placeBook(shelf, "Low Tides", "Tides");
    await catalog.describeWork(arrived.issueId, lowTides, systemViewer);
    expect((await shelf.library.findIssues([asked.issueId], narrow)).map(({ id }) => id)).toEqual([arrived.issueId]);
    expect((await shelf.library.findSeries(asked.seriesId, narrow))?.id).toBe(arrived.seriesId);
    expect(await list()).toEqual([]);
  });

  it("is the very book that arrives in the series of its author, and stands with the others of that author", async () => {
    await using shelf = await openShelf();
    const first = await placeBook(shelf, "High Tides");
    const asked = await shelf.host.use(Catalog).addWork(lowTides, wanted);
    expect(asked.seriesId).toBe(first.seriesId);
    expect((await placeBook(shelf, "Low Tides")).issueId).toBe(asked.issueId);
  });

  it("needs the permission to want", async () => {
    await using shelf = await openShelf();
    const stranger: Viewer = { ...systemViewer, may: () => false };
    await expect(shelf.host.use(Catalog).addWork(lowTides, { ...wanted, viewer: stranger })).rejects.toMatchObject({
      code: "collection/may-not-want",
    });
  });
});

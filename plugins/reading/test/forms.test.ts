import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, LibraryTypes, Works } from "@longbox/collection/contract";
import { ChapterSources, Reading, type Chapter, type Position } from "@longbox/reading/contract";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { startTestHost, type TestClient } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { viewerOf } from "./support/reading-desk.js";

interface Chapters {
  ebook?: readonly Chapter[];
  audiobook?: readonly Chapter[];
}

/** Books and audiobooks, with the chapters of a test. */
function shop(chapters: Chapters) {
  return {
    manifest: {
      id: "shop",
      title: "Shop",
      description: "Types and chapters of a test",
      sdk: "^1.0.0",
      contributes: { libraryTypes: "^1.0.0", chapterSources: "^1.0.0" },
    },
    plugin: definePlugin({
      activate(_, context) {
        for (const [id, length] of [
          ["ebook", "fraction"],
          ["audiobook", "seconds"],
        ] as const) {
          context.contribute(LibraryTypes, {
            id,
            label: id,
            words: { unit: { one: id, other: `${id}s` }, length, named: "by-title" },
          });
          context.contribute(ChapterSources, { libraryType: id, findChapters: async () => chapters[id] });
        }
      },
    }),
  };
}

/** A book and its audiobook of ten hours. */
async function openPair(chapters: Chapters = {}) {
  const root = await mkdtemp(join(tmpdir(), "longbox-forms-"));
  const host = await startTestHost({ plugins: ["collection", "reading", shop(chapters)] });
  const ids: number[] = [];
  for (const type of ["ebook", "audiobook"]) {
    const rootFolder = join(root, type);
    await mkdir(rootFolder);
    const { body } = await host.as("admin").post("/api/libraries", { name: type, type, rootFolder });
    const [placed] = await host.use(Collection).placeFiles([
      {
        libraryId: body.id,
        path: join(rootFolder, "a", "Low Tides"),
        name: "Low Tides",
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 0,
        ...(type === "audiobook" && { seconds: 36_000 }),
        valid: true,
        tagged: true,
        series: { name: "Ada Quill", folder: join(rootFolder, "a") },
        issue: { number: "", kind: "issue", title: "Low Tides" },
      },
    ]);
    ids.push(placed!.issueId);
  }
  await host.use(Works).link(ids, systemViewer);
  const [book, audio] = ids as [number, number];
  return {
    host,
    book,
    audio,
    viewer: host.as("viewer"),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

type Pair = Awaited<ReturnType<typeof openPair>>;

/** Reports as the user whose client reads the places. */
async function report({ host, viewer }: Pair, issueId: number, position: Position): Promise<void> {
  const { body } = await viewer.get("/api/auth/profile");
  await host.use(Reading).report(viewerOf(body.id), issueId, { position, device: "tablet" });
}

const placesIn = async (client: TestClient, id: number) => (await client.get(`/api/reading/forms/${id}`)).body.places;
const hour = 3600;

describe("going on in another form of a work", () => {
  it("leads to the same share of it, in the unit of that form, and back", async () => {
    await using pair = await openPair();
    const { viewer, book, audio } = pair;
    expect(await placesIn(viewer, audio)).toEqual([]);
    await report(pair, book, { kind: "locator", locator: "epubcfi(/6/4)", fraction: 0.25 });
    expect(await placesIn(viewer, audio)).toMatchObject([
      { id: book, type: "ebook", fraction: 0.25, seconds: 2.5 * hour, by: "fraction", isFurther: true },
    ]);
    const badges = async (id: number) =>
      (await viewer.post("/api/reading/badges", { kind: "issue", ids: [id] })).body.items[0].facts;
    expect(await badges(audio)).toMatchObject({ furtherElsewhere: true });
    expect((await viewer.post(`/api/reading/forms/${audio}`, {})).body).toMatchObject({ seconds: 2.5 * hour });
    expect(await badges(audio)).toEqual({ reading: "reading", later: false });
    await report(pair, audio, { kind: "time", seconds: 5 * hour, duration: 10 * hour });
    expect(await placesIn(viewer, book)).toMatchObject([{ id: audio, fraction: 0.5, isFurther: true }]);
    await viewer.post(`/api/reading/forms/${book}`, { from: audio });
    expect(await placesIn(viewer, book)).toMatchObject([{ fraction: 0.5, isFurther: false }]);
  });

  it("leads to the same place of the same chapter, where both have chapters", async () => {
    const chapter = (title: string, start: number): Chapter => ({ title, start });
    await using pair = await openPair({
      // The text has a long preface and an index; the recording begins with an announcement.
      ebook: [chapter("Preface", 0), chapter("1", 0.2), chapter("2", 0.4), chapter("3", 0.6), chapter("Index", 0.8)],
      audiobook: [
        chapter("Opening", 0),
        chapter("Chapter 01", 0.1),
        chapter("Chapter 02", 0.4),
        chapter("Chapter 03", 0.7),
      ],
    });
    const { viewer, book, audio } = pair;
    await report(pair, book, { kind: "locator", locator: "", fraction: 0.5 });
    const [place] = await placesIn(viewer, audio);
    expect(place).toMatchObject({ by: "chapter", chapter: "Chapter 02" });
    expect(place.fraction).toBeCloseTo(0.55, 6);
    expect(place.seconds).toBeCloseTo(5.5 * hour, 3);
  });

  it("leads nowhere from what is finished, hidden, unlinked or unknown", async () => {
    await using pair = await openPair();
    const { host, viewer, book, audio } = pair;
    await report(pair, book, { kind: "locator", locator: "", fraction: 0.3 });
    const [issue] = await host.use(Collection).findIssues([book], systemViewer);
    const restrict = (restricted: boolean) =>
      host.as("admin").post(`/api/collection/${issue!.seriesId}/restricted`, { restricted });
    await restrict(true);
    expect(await placesIn(viewer, audio)).toEqual([]);
    expect(await viewer.get(`/api/reading/forms/${book}`)).toMatchObject({ status: 404 });
    await restrict(false);
    expect(await placesIn(viewer, audio)).toHaveLength(1);
    await report(pair, book, { kind: "locator", locator: "", fraction: 1 });
    expect(await placesIn(viewer, audio)).toEqual([]);
    const none = await viewer.post(`/api/reading/forms/${audio}`, {});
    expect(none).toMatchObject({ status: 404, body: { code: "reading/no-place" } });
    expect(await host.as("anonymous").get(`/api/reading/forms/${audio}`)).toMatchObject({ status: 401 });
  });
});

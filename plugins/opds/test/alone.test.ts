import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, LibraryTypes, type LibraryTypeWords, type ReadFile } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Types that other plugins bring. */
const words: Record<string, LibraryTypeWords> = {
  ebook: { unit: { one: "book", other: "books" }, length: "fraction", named: "by-title" },
  audiobook: { unit: { one: "audiobook", other: "audiobooks" }, length: "seconds", named: "by-title" },
};
const types = {
  manifest: { id: "types", title: "Types", description: "", sdk: "^1.0.0", contributes: { libraryTypes: "^1.0.0" } },
  plugin: definePlugin({
    activate(_, context) {
      for (const [id, spoken] of Object.entries(words))
        context.contribute(LibraryTypes, { id, label: id, words: spoken });
    },
  }),
};

describe("a catalog without web reader, comics and imaging", () => {
  let host: TestHost;
  let root: string;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${host.url}/api/opds${path}`, {
      ...init,
      headers: { "X-Api-Key": host.as("viewer").key as string, ...init.headers },
    });
  const publication = async (query: string) =>
    ((await (await get(`/v2/search?query=${query}`)).json()) as any).publications[0];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "longbox-opds-alone-"));
    host = await startTestHost({ plugins: [types, "operations", "collection", "files", "reading", "opds"] });
    await host.as("viewer").get("/api/opds");
    await place("comic", { series: "Moth Patrol", number: "3", file: "Moth Patrol 003.cbz", pages: 21 });
    await place("ebook", { series: "Low Tides", number: "2", title: "The Salt Road", file: "salt.epub", pages: 21 });
    await place("audiobook", {
      series: "Low Tides",
      number: "2",
      title: "Deep Water",
      file: "deep.m4b",
      seconds: 33_120,
    });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  async function place(
    type: string,
    work: { series: string; number: string; title?: string; file: string; pages?: number; seconds?: number },
  ): Promise<void> {
    const rootFolder = join(root, type);
    await mkdir(rootFolder);
    await writeFile(join(rootFolder, work.file), `the bytes of ${work.file}`);
    const made = await host.as("admin").post("/api/libraries", { name: type, type, rootFolder });
    const file: ReadFile = {
      libraryId: made.body.id,
      path: join(rootFolder, work.file),
      name: work.file,
      sizeBytes: 1000,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: work.pages ?? 0,
      ...(work.seconds && { seconds: work.seconds }),
      valid: true,
      tagged: true,
      series: { name: work.series, folder: rootFolder },
      issue: { number: work.number, kind: "issue", ...(work.title && { title: work.title }) },
    };
    await host.use(Collection).placeFiles([file]);
  }

  it("browses, searches, downloads and keeps the place", async () => {
    for (const path of ["", "/v2", "/continue", "/later", "/new", "/series", "/publishers", "/libraries", "/books"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    const { links } = await publication("moth");
    const download = links.find((link: { rel: string }) => link.rel === "http://opds-spec.org/acquisition");
    const path = (href: string) => href.slice(`${host.url}/api/opds`.length);
    expect(await (await get(path(download.href))).text()).toBe("the bytes of Moth Patrol 003.cbz");
    const place = path(links.find((link: { rel: string }) => link.rel.endsWith("/progression")).href);
    const told = {
      modified: "2026-03-01T10:00:00.000Z",
      device: { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" },
      progression: 10 / 21,
    };
    const headers = { "Content-Type": "application/opds-progression+json" };
    expect((await get(place, { method: "PUT", headers, body: JSON.stringify(told) })).status).toBe(200);
    expect(await (await get(place)).json()).toMatchObject({ progression: 10 / 21, references: ["#page=11"] });
    expect(await (await get("/continue")).text()).toContain("Moth Patrol #3");
  });

  it("answers 404 for a file that is gone since it was listed", async () => {
    const { links } = await publication("moth");
    const { href } = links.find((link: { rel: string }) => link.rel === "http://opds-spec.org/acquisition");
    const download = async () => (await get(href.slice(`${host.url}/api/opds`.length))).status;
    const file = join(root, "comic", "Moth Patrol 003.cbz");
    await rename(file, `${file}.gone`);
    expect(await download()).toBe(404);
    await rename(`${file}.gone`, file);
    expect(await download()).toBe(200);
  });

  it("promises no pages and covers that nothing gives", async () => {
    const feed = await (await get("/new")).text();
    expect(feed).not.toMatch(/opds-pse\/stream|opds-spec.org\/image/);
    const { links, images } = await publication("moth");
    expect([
      images,
      links.map((link: { type: string }) => link.type).filter((type: string) => /divina/.test(type)),
    ]).toEqual([undefined, []]);
    const id = /issue\/(-?\d+)/.exec(links[0].href)![1];
    const refused = [`/issue/${id}/page/0`, `/issue/${id}/cover`, `/v2/issue/${id}/manifest`];
    expect(await Promise.all(refused.map(async (path) => (await get(path)).status))).toEqual([404, 404, 404]);
  });

  it("speaks of each work in the words of its type", async () => {
    const feed = await (await get("/new")).text();
    expect(
      [...feed.matchAll(/<title>([^<]+)<\/title>|<summary[^>]*>([^<]+)</g)].map(
        ([, title, summary]) => title ?? summary,
      ),
    ).toEqual(
      expect.arrayContaining([
        "Moth Patrol #3",
        "21 pages",
        "The Salt Road",
        "Low Tides, book 2",
        "Deep Water",
        "Low Tides, audiobook 2 · 9 hours 12 minutes",
      ]),
    );
    const [comic, book, sound] = [await publication("moth"), await publication("salt"), await publication("deep")];
    expect(
      [comic, book, sound].map(({ metadata }) => [metadata["@type"], metadata.numberOfPages, metadata.duration]),
    ).toEqual([
      ["http://schema.org/ComicIssue", 21, undefined],
      ["http://schema.org/Book", undefined, undefined],
      ["http://schema.org/Audiobook", undefined, 33_120],
    ]);
    expect(
      [book, sound].map(({ links }) => [links[1].type, decodeURIComponent(links[1].href.split("/").at(-1))]),
    ).toEqual([
      ["application/epub+zip", "The Salt Road.epub"],
      ["audio/mp4", "Deep Water.m4b"],
    ]);
  });

  it("gives a recording a manifest that can be played", async () => {
    const { links } = await publication("deep");
    const { href } = links.find((link: { type: string }) => link.type === "application/audiobook+json");
    const answer = await get(href.slice(`${host.url}/api/opds`.length));
    expect([answer.headers.get("content-type"), await answer.json()]).toMatchObject([
      "application/audiobook+json",
      {
        metadata: { conformsTo: "https://readium.org/webpub-manifest/profiles/audiobook", duration: 33_120 },
        readingOrder: [{ type: "audio/mp4", duration: 33_120 }],
      },
    ]);
  });
});

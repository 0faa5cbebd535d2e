import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mp4File } from "../../plugins/audiobooks/test/support/mp4-file.ts";
import { epub } from "../../plugins/books/test/support/epub.ts";

const plugins = [
  ...["imaging", "operations", "collection", "files", "metadata", "downloads", "reading", "imaging", "comics"],
  ...["reader", "books", "audiobooks", "opds", "lists", "shelves", "stats"],
];
const kinds = ["ebook", "audiobook"] as const;
const titles = { ebook: "The Salt Road", audiobook: "Night Bell" };

let root: string;
let host: KernelTestHost;
let issues: Record<(typeof kinds)[number], { id: number; cvIssueId: number }>;
let ebookId: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "longbox-both-kinds-"));
  await Promise.all(kinds.map((kind) => mkdir(join(root, kind))));
  const metadata = "<dc:subject>Sea stories</dc:subject><dc:date>2019-04-02</dc:date>";
  await writeFile(join(root, "ebook/salt.epub"), epub({ title: titles.ebook, author: "Ada Quill", metadata }));
  const tags = { "\xa9alb": titles.audiobook, aART: "Ada Quill", "\xa9nrt": "Ira Bloom", "\xa9gen": "Sea stories" };
  await writeFile(join(root, "audiobook/night.m4b"), mp4File({ seconds: 600, tags }));
  host = await startKernelTestHost({ plugins: [...new Set(plugins)], settings: { files: { watchFolders: false } } });
  for (const kind of kinds)
    await host.as("admin").post("/api/libraries", { name: kind, type: kind, rootFolder: join(root, kind) });
  await vi.waitUntil(async () => (await get("/api/shelves/status")).size === 2, { timeout: 30_000 });
  const found = await Promise.all(kinds.map(async (kind) => (await get(`/api/shelves/items?type=${kind}`)).items[0]));
  issues = { ebook: found[0], audiobook: found[1] };
  ebookId = (await get(`/api/ebooks/books?issues=${issues.ebook.id}`))[0].id;
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const get = async (path: string, role = "viewer") => (await host.as(role).get(path)).body;
const titlesIn = (items: ReadonlyArray<{ label: { full: string } }>) => items.map(({ label }) => label.full).toSorted();
const both = Object.values(titles).toSorted();

describe("e-books and audiobooks", () => {
  it("are on the shelves, by type, author, narrator and genre", async () => {
    expect(titlesIn((await get("/api/shelves/items?author=Ada%20Quill")).items)).toEqual(both);
    expect(titlesIn((await get("/api/shelves/items?genre=Sea%20stories")).items)).toEqual(both);
    expect(titlesIn((await get("/api/shelves/items?narrator=Ira%20Bloom")).items)).toEqual([titles.audiobook]);
    for (const kind of kinds)
      expect(titlesIn((await get(`/api/shelves/items?type=${kind}`)).items)).toEqual([titles[kind]]);
    expect(await get("/api/shelves/authors?type=audiobook")).toEqual([{ name: "Ada Quill", count: 1 }]);
  });

  it("are found by the search panel, each in the group of its kind, and by their people", async () => {
    const found = async (words: string) =>
      (await get(`/api/search?q=${words}`)).items.map((item: any) => [item.group.id, item.title]);
    expect(await found("salt")).toEqual([["ebook", titles.ebook]]);
    expect(await found("nihgt%20bell")).toEqual([["audiobook", titles.audiobook]]);
    expect(await found("bloom")).toContainEqual(["people", "Ira Bloom"]);
  });

  it("are in a reading list together, and in the order of the list", async () => {
    const viewer = host.as("viewer");
    const { id } = (await viewer.post("/api/lists", { name: "Sea" })).body;
    const cvIssueIds = [issues.audiobook.cvIssueId, issues.ebook.cvIssueId];
    expect((await viewer.post(`/api/lists/${id}/items`, { cvIssueIds })).body).toEqual({ added: 2 });
    const list = await get(`/api/lists/${id}`);
    expect(list).toMatchObject({ total: 2, owned: 2, items: [{ format: "m4b" }, { format: "epub" }] });
  });

  it("count in the statistics, by time and pages, and are gone on with at home and in the catalogs", async () => {
    const trusted = host.as("trusted");
    const read = (page: number, minutesAgo: number) =>
      trusted.post(`/api/ebooks/issue/${ebookId}/progress`, {
        ...{ locator: `epubcfi(/6/${page})`, fraction: page / 100, page, pages: 100 },
        at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      });
    await read(50, 3);
    await read(52, 1);
    await trusted.post(`/api/audiobooks/issue/${issues.audiobook.id}/progress`, { position: 300, duration: 600 });
    expect(await get("/api/ebooks/stats", "trusted")).toMatchObject({ reading: 1, pages: 52, seconds: 120 });
    expect(await get("/api/audiobooks/stats", "trusted")).toMatchObject({ reading: 1, seconds: 300 });
    expect(titlesIn((await get("/api/reader/continue", "trusted")).items)).toEqual(both);
    const { publications } = await get("/api/opds/v2/continue", "trusted");
    expect(publications.map((one: any) => [one.metadata["@type"], one.metadata.title]).toSorted()).toEqual([
      ["http://schema.org/Audiobook", titles.audiobook],
      ["http://schema.org/Book", titles.ebook],
    ]);
  });

  it("stand in the catalogs with the types of their files, which HTTP Basic fetches", async () => {
    const headers = { authorization: `Basic ${Buffer.from(`viewer:${host.as("viewer").key}`).toString("base64")}` };
    const atom = await (await fetch(`${host.url}/api/opds/new`, { headers })).text();
    for (const [type, beginning] of [
      ["application/epub+zip", "PK"],
      ["audio/mp4", "ftyp"],
    ] as const) {
      const link = new RegExp(
        `rel="http://opds-spec.org/acquisition" href="([^"]+)" type="${type.replace("+", "\\+")}"`,
      );
      const answer = await fetch(link.exec(atom)![1]!, { headers });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
      expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 8)).toContain(beginning);
    }
  });

  it("are in none of these once their library is restricted, for those who may not see it", async () => {
    const { libraries } = await get("/api/libraries", "admin");
    for (const { id } of libraries) await host.as("admin").post(`/api/libraries/${id}`, { restricted: true });
    await expect.poll(async () => (await get("/api/shelves/items")).total, { timeout: 30_000 }).toBe(0);
    const answers = await Promise.all(
      [
        ...["/api/search?q=salt", "/api/search?q=night", "/api/search?q=bloom", "/api/shelves/facets"],
        ...["/api/reader/continue", "/api/reader/new-in-library", "/api/lists/1", "/api/collection", "/api/stats"],
        ...["/api/opds/new", "/api/opds/v2/new", "/api/opds/v2/continue", "/api/opds/v2/shelves/all-books"],
        ...["/api/opds/v2/shelves/all-audiobooks", "/api/opds/search?query=night", "/api/ebooks/state"],
        `/api/ebooks/books?issues=${ebookId}`,
        `/api/audiobooks/info?issues=${issues.audiobook.id}`,
        ...kinds.map((kind) => `/api/issue/${issues[kind].cvIssueId}`),
        ...kinds.map((kind) => `/api/issue/${issues[kind].cvIssueId}/cover`),
      ].map(async (path) => [path, JSON.stringify(await get(path))] as const),
    );
    for (const [path, answer] of answers)
      expect([path, /Salt Road|Night Bell|Ira Bloom|Ada Quill/.test(answer ?? "")]).toEqual([path, false]);
    expect(titlesIn((await get("/api/shelves/items", "trusted")).items)).toEqual(both);
  });
});

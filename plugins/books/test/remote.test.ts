import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openBookRoom, type BookRoom } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";
import { remoteShelf } from "./support/remote-source.ts";

const shelf = remoteShelf();
const book = (id: string, title: string, { version = "1", cover }: { version?: string; cover?: string } = {}) => ({
  id,
  format: "epub",
  version,
  cover,
  reading: { title, people: [{ name: "Ada Quill", role: "author" }], language: "en" },
});

const shelved = [
  book("salt", "The Salt Road"),
  book("fresh", "Fresh water", { cover: "fresh-cover" }),
  book("lost", "Lost at sea"),
  book("late", "Late tide"),
];

interface Publication {
  readonly links: ReadonlyArray<{ readonly rel: string; readonly href: string }>;
}

let room: BookRoom;
let picture: Buffer;
const get = (path: string, role = "viewer", headers?: Record<string, string>) => room.host.as(role).get(path, headers);
const untilShown = (name: string, there = true) =>
  vi.waitUntil(async () => name in (await room.rows()) === there, { timeout: 10_000, interval: 50 });
const fileOf = async (name: string) => `/api/ebooks/issue/${await room.listedIdOf(name)}/file`;

beforeAll(async () => {
  room = await openBookRoom({
    fill: (root) => writeFile(join(root, "near.epub"), epub({ title: "Near" })),
    plugins: [shelf.plugin],
  });
  picture = await sharp({ create: { width: 60, height: 90, channels: 3, background: "#23395d" } })
    .png()
    .toBuffer();
  shelf.files.set("salt", epub({ cover: picture }));
  shelf.files.set("fresh", epub({ title: "Fresh water" }));
  shelf.files.set("fresh-cover", picture);
  shelf.show(shelved);
  await untilShown("Late tide.epub");
});
afterAll(() => room[Symbol.asyncDispose]());

/** The addresses at which the catalogs offer a book: of 1.2, and of 2.0. */
function acquisitionsOf(feed: string, publications: readonly Publication[], cvIssueId: number): string[] {
  const isOf = (href: string) => href.includes(`/issue/${cvIssueId}/file`);
  const written = [
    ...feed.matchAll(/rel="[^"]*acquisition[^"]*"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*rel="[^"]*acquisition/g),
  ]
    .map(([, one, other]) => one ?? other!)
    .find(isOf);
  const listed = publications
    .flatMap(({ links }) => links)
    .find(({ rel, href }) => rel.includes("acquisition") && isOf(href))?.href;
  return [written, listed].flatMap((href) => (href === undefined ? [] : [href.replace(room.host.url, "")]));
}

describe("books of another server", () => {
  it("are listed with those on disk, and fetched when they are first opened, once for all who wait", async () => {
    const id = await room.listedIdOf("The Salt Road.epub");
    const [described] = (await get(`/api/ebooks/books?issues=${id}`)).body;
    expect(described).toMatchObject({
      title: "The Salt Road",
      authors: ["Ada Quill"],
      formats: ["epub"],
      language: "en",
    });
    expect(shelf.fetches).toBe(0);
    const gate = Promise.withResolvers<void>();
    shelf.before = () => gate.promise;
    const path = await fileOf("The Salt Road.epub");
    const opened = [get(path), get(path, "trusted"), get(path, "admin")];
    await vi.waitUntil(() => shelf.fetches > 0);
    gate.resolve();
    const answers = await Promise.all(opened);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(Buffer.from(answers[2]!.bytes).equals(shelf.files.get("salt")!)).toBe(true);
    expect(shelf.fetches).toBe(1);
    const part = await get(path, "viewer", { Range: "bytes=0-3", "If-Range": answers[0]!.headers.get("etag")! });
    expect([part.status, part.body]).toEqual([206, "PK\x03\x04"]);
    expect(shelf.fetches).toBe(1);
  });

  it("are sent by the catalogs in both versions, from the same download", async () => {
    const fetches = shelf.fetches;
    const ids = {
      opened: await room.listedIdOf("The Salt Road.epub"),
      fresh: await room.listedIdOf("Fresh water.epub"),
    };
    const feed = (await get("/api/opds/shelves/all-books")).body as string;
    const { publications } = (await get("/api/opds/v2/shelves/all-books")).body as { publications: Publication[] };
    expect(acquisitionsOf(feed, publications, ids.opened)).toHaveLength(2);
    for (const address of acquisitionsOf(feed, publications, ids.opened))
      expect([...(await get(address)).bytes]).toEqual([...shelf.files.get("salt")!]);
    expect(shelf.fetches).toBe(fetches);
    const addresses = acquisitionsOf(feed, publications, ids.fresh);
    const fresh = await Promise.all(addresses.map((address) => get(address)));
    expect(fresh.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
      addresses.map(() => [200, "application/epub+zip"]),
    );
    expect(shelf.fetches).toBe(fetches + 1);
    expect((await get(await fileOf("near.epub"))).status).toBe(200);
    const lost = await get(`/api/opds/issue/${await room.listedIdOf("Lost at sea.epub")}/file`);
    expect(lost).toMatchObject({ status: 404, body: { unavailable: true } });
  });

  it("have the cover that their source offers, fetched when it is first shown, else that in the book", async () => {
    const cover = async (name: string) => get(`/api/ebooks/issue/${await room.listedIdOf(name)}/cover`);
    const fetches = shelf.fetches;
    const shown = await Promise.all([cover("Fresh water.epub"), cover("Fresh water.epub")]);
    expect(shown.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
      [200, "image/png"],
      [200, "image/png"],
    ]);
    expect([...shown[0]!.bytes]).toEqual([...picture]);
    expect(shelf.fetches).toBe(fetches + 1);
    expect((await cover("Late tide.epub")).status).toBe(404);
    expect([...(await cover("The Salt Road.epub")).bytes]).toEqual([...picture]);
    expect(shelf.fetches).toBe(fetches + 1);
    const fromCatalog = await get(`/api/opds/issue/${await room.listedIdOf("Fresh water.epub")}/cover`);
    expect(fromCatalog.status).toBe(200);
  });

  it("are fetched once more where they are larger than their source says, with room for them", async () => {
    const large = epub({ title: "Long", files: { "OEBPS/one.jpg": Buffer.alloc(100_000, "salt") } });
    shelf.files.set("large", large);
    shelf.show([...shelved, { ...book("large", "Large"), sizeBytes: 100 }]);
    await untilShown("Large.epub");
    const before = shelf.fetches;
    const answer = await get(await fileOf("Large.epub"));
    expect([answer.status, Buffer.from(answer.bytes).equals(large), shelf.fetches - before]).toEqual([200, true, 2]);
    shelf.show(shelved);
    await untilShown("Large.epub", false);
  });

  it("keep positions and bookmarks like any other", async () => {
    const id = await room.listedIdOf("The Salt Road.epub");
    const reported = await room.host
      .as("viewer")
      .post(`/api/ebooks/issue/${id}/progress`, { locator: "a", fraction: 0.5 });
    expect(reported.body).toMatchObject({ fraction: 0.5 });
  });

  it("that their source has lost are said to be unavailable", async () => {
    const answer = await get(await fileOf("Lost at sea.epub"));
    expect(answer).toMatchObject({ status: 404, body: { unavailable: true, code: "books/gone-at-source" } });
    expect(answer.body.error).toBe("The harbour library does not have this book any more.");
  });

  it("that could not be fetched can be tried again", async () => {
    const path = await fileOf("Late tide.epub");
    shelf.files.set("late", epub({ title: "Late tide" }));
    shelf.before = () => Promise.reject(new Error("The line is down."));
    const failed = await get(path);
    expect(failed).toMatchObject({ status: 502, body: { code: "books/source-failed" } });
    expect(failed.headers.get("retry-after")).toBe("10");
    shelf.before = async () => {};
    expect((await get(path)).status).toBe(200);
  });

  it("are fetched again in a new version, and leave with their source's list", async () => {
    const path = await fileOf("The Salt Road.epub");
    const former = (await get(path)).headers.get("etag");
    shelf.files.set("salt", epub({ text: "Another edition." }));
    shelf.show([book("salt", "The Salt Road", { version: "2" }), book("late", "Late tide")]);
    await untilShown("Lost at sea.epub", false);
    const answer = await get(path);
    expect(answer.headers.get("etag")).not.toBe(former);
    expect(Buffer.from(answer.bytes).equals(shelf.files.get("salt")!)).toBe(true);
  });

  it("stay through a scan, and while their plugin is away", async () => {
    await room.scan();
    const path = await fileOf("The Salt Road.epub");
    shelf.show([book("salt", "The Salt Road", { version: "3" }), book("late", "Late tide")]);
    await vi.waitUntil(async () => (await get(path)).headers.get("etag")?.includes("Mw") ?? false);
    await room.host.disable("far-shelf");
    expect(await get(await fileOf("Late tide.epub"))).toMatchObject({ status: 200 });
    await room.host.enable("far-shelf");
    expect(Object.keys(await room.rows()).sort()).toEqual(["Late tide.epub", "The Salt Road.epub", "near.epub"]);
  });

  it("leave with their source, when its plugin no longer offers it", async () => {
    shelf.offer(false);
    await untilShown("Late tide.epub", false);
    expect(Object.keys(await room.rows())).toEqual(["near.epub"]);
    shelf.offer(true);
    await untilShown("Late tide.epub");
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openBookRoom, type BookRoom } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";
import { remoteShelf } from "./support/remote-source.ts";

const shelf = remoteShelf();
const book = (id: string, title: string, version = "1") => ({
  id,
  format: "epub",
  version,
  reading: { title, people: [{ name: "Ada Quill", role: "author" }], language: "en" },
});

let room: BookRoom;
const get = (path: string, role = "viewer", headers?: Record<string, string>) => room.host.as(role).get(path, headers);
const untilShown = (name: string, there = true) =>
  vi.waitUntil(async () => name in (await room.rows()) === there, { timeout: 10_000, interval: 50 });
const fileOf = async (name: string) => `/api/ebooks/issue/${await room.idOf(name)}/file`;

beforeAll(async () => {
  room = await openBookRoom({
    fill: (root) => writeFile(join(root, "near.epub"), epub({ title: "Near" })),
    plugins: [shelf.plugin],
  });
  shelf.files.set("salt", epub());
  shelf.show([book("salt", "The Salt Road"), book("lost", "Lost at sea"), book("late", "Late tide")]);
  await untilShown("Late tide.epub");
});
afterAll(() => room[Symbol.asyncDispose]());

describe("books of another server", () => {
  it("are listed with those on disk, and fetched when they are first opened, once for all who wait", async () => {
    const id = await room.idOf("The Salt Road.epub");
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

  it("keep positions and bookmarks like any other", async () => {
    const id = await room.idOf("The Salt Road.epub");
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
    shelf.show([book("salt", "The Salt Road", "2"), book("late", "Late tide")]);
    await untilShown("Lost at sea.epub", false);
    const answer = await get(path);
    expect(answer.headers.get("etag")).not.toBe(former);
    expect(Buffer.from(answer.bytes).equals(shelf.files.get("salt")!)).toBe(true);
  });

  it("stay through a scan, and while their plugin is away", async () => {
    await room.scan();
    const path = await fileOf("The Salt Road.epub");
    shelf.show([book("salt", "The Salt Road", "3"), book("late", "Late tide")]);
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

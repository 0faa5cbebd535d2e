import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";

let room: BookRoom;
const get = (path: string, role = "viewer", headers?: Record<string, string>) => room.host.as(role).get(path, headers);
const post = (path: string, body: unknown, role = "viewer") => room.host.as(role).post(path, body);
const describeBook = async (id: number, role = "viewer") => (await get(`/api/ebooks/books?issues=${id}`, role)).body[0];

const saltMetadata = `<dc:language>eng</dc:language><dc:publisher>Heron House</dc:publisher>
<dc:date>2019-03-07</dc:date><dc:subject>Tides</dc:subject><dc:identifier>urn:isbn:978-0-306-40615-7</dc:identifier>
<dc:description>&lt;p&gt;One.&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;p&gt;Two &amp;amp; three.&lt;/p&gt;</dc:description>
<dc:contributor id="t">Ira Bloom</dc:contributor><meta refines="#t" property="role" scheme="marc:relators">trl</meta>
<meta property="belongs-to-collection" id="c">Low Tides</meta><meta refines="#c" property="collection-type">series</meta>
<meta refines="#c" property="group-position">2.0</meta>`;

async function fill(root: string): Promise<void> {
  await mkdir(join(root, "Ada Quill"));
  const red = { create: { width: 300, height: 450, channels: 3 as const, background: "#a33" } };
  const cover = await sharp(red).jpeg().toBuffer();
  await writeFile(join(root, "Ada Quill/salt.epub"), epub({ metadata: saltMetadata, cover }));
  await writeFile(join(root, "Ada Quill/letters.epub"), epub({ title: "Letters" }));
  await writeFile(
    join(root, "Ada Quill/salt.txt"),
    "Title: The Salt Road\nAuthor: Ada Quill\nSeries: Low Tides #2\n\nThe tide.\n",
  );
}

beforeAll(async () => {
  room = await openBookRoom({ fill });
});
afterAll(() => room[Symbol.asyncDispose]());

describe("a library of books", () => {
  it("lists books by what stands in them, several formats as one", async () => {
    const rows = await room.rows();
    expect(Object.keys(rows).sort()).toEqual(["letters.epub", "salt.epub"]);
    expect(rows["salt.epub"]!.label).toMatchObject({ full: "The Salt Road", within: "Low Tides, book 2" });
    const { id, cvIssueId } = rows["salt.epub"]!;
    expect(await describeBook(cvIssueId)).toEqual(await describeBook(id));
    expect(await describeBook(id)).toEqual({
      id,
      title: "The Salt Road",
      authors: ["Ada Quill"],
      series: "Low Tides",
      number: "2",
      format: "epub",
      formats: ["epub", "txt"],
      files: [
        { format: "epub", size: expect.any(Number), drm: null },
        { format: "txt", size: 71, drm: null },
      ],
      size: expect.any(Number),
      drm: null,
      language: "en",
      isbn: "9780306406157",
      rightToLeft: false,
      fixedLayout: false,
      cover: `/api/ebooks/issue/${id}/cover`,
      description: "One.\nTwo & three.",
      progress: null,
    });
  });
});

describe("the file", () => {
  it("is sent whole or in part, to be read or to be kept, in each format", async () => {
    const id = await room.idOf("salt.epub");
    const whole = await get(`/api/ebooks/issue/${id}/file`);
    const bytes = await readFile(join(room.root, "Ada Quill/salt.epub"));
    expect(whole.status).toBe(200);
    expect(Buffer.from(whole.bytes).equals(bytes)).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "application/epub+zip",
      "content-disposition": expect.stringMatching(/^inline.*salt\.epub/u),
      "accept-ranges": "bytes",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
    const part = await get(`/api/ebooks/issue/${id}/file`, "viewer", { Range: "bytes=30-57" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 30-57/${bytes.length}`]);
    expect(Buffer.from(part.bytes).equals(bytes.subarray(30, 58))).toBe(true);
    const same = await get(`/api/ebooks/issue/${id}/file`, "viewer", { "If-None-Match": whole.headers.get("etag")! });
    expect(same.status).toBe(304);
    const text = await get(`/api/ebooks/issue/${id}/file?format=txt&dl=1`);
    expect(text.headers.get("content-disposition")).toMatch(/^attachment.*salt\.txt/u);
    expect(text.body).toContain("The tide.");
    const missing = await get(`/api/ebooks/issue/${id}/file?format=mobi`);
    expect(missing).toMatchObject({ status: 404, body: { code: "books/no-such-format" } });
    expect(missing.body.details).toEqual({ formats: ["epub", "txt"] });
  });

  it("and the cover are also sent for HTTP Basic, and nothing else is", async () => {
    const id = await room.idOf("salt.epub");
    const account = { username: "reading-app", password: "a long password 4711" };
    expect((await post("/api/users", { ...account, role: "viewer" }, "admin")).status).toBeLessThan(300);
    const basic = {
      Authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString("base64")}`,
    };
    const asked = ["issue/ID/file", "issue/ID/cover", "issue/ID/progress", "books?issues=ID", "state"];
    const answers = await Promise.all(
      asked.map(
        async (path) => (await get(`/api/ebooks/${path.replace("ID", String(id))}`, "anonymous", basic)).status,
      ),
    );
    expect(answers).toEqual([200, 200, 401, 401, 401]);
  });

  it("shows its cover in the width that is asked for", async () => {
    const id = await room.idOf("salt.epub");
    const cover = await get(`/api/ebooks/issue/${id}/cover?w=200`);
    expect([cover.status, (await sharp(cover.bytes).metadata()).format]).toEqual([200, "jpeg"]);
    expect(cover.headers.get("etag")).toBeTruthy();
    expect(await get(`/api/ebooks/issue/${await room.idOf("letters.epub")}/cover`)).toMatchObject({
      status: 404,
      body: { code: "books/no-cover" },
    });
  });
});

describe("positions", () => {
  const report = (id: number, body: object, role = "viewer") => post(`/api/ebooks/issue/${id}/progress`, body, role);

  it("are kept for each user, with the chapter, and shared by all programs", async () => {
    const id = await room.idOf("letters.epub");
    expect((await get(`/api/ebooks/issue/${id}/progress`)).body).toEqual({
      locator: "",
      fraction: 0,
      completed: false,
      at: null,
      further: null,
    });
    const place = { locator: "epubcfi(/6/4!/4/2:10)", fraction: 0.25, chapter: "One", page: 3, pages: 12 };
    expect((await report(id, place)).body).toMatchObject({ ...place, completed: false, device: "Web reader" });
    expect((await get(`/api/ebooks/issue/${id}/progress`)).body).toMatchObject({ ...place, further: null });
    expect((await get("/api/ebooks/state")).body).toEqual({
      [id]: { locator: place.locator, fraction: 0.25, completed: false, at: expect.any(String) },
    });
    expect((await get("/api/ebooks/state", "trusted")).body).toEqual({});
    expect((await describeBook(id)).progress).toMatchObject({ fraction: 0.25 });
  });

  it("of a device that reports late never move back, unless the user did", async () => {
    const id = await room.idOf("letters.epub");
    const kobo = { device: "Kobo" };
    await report(id, { locator: "b", fraction: 0.6, ...kobo });
    const late = await report(id, { locator: "a", fraction: 0.1, device: "Phone", at: "2026-01-01T00:00:00Z" });
    expect(late.body).toMatchObject({ locator: "b", fraction: 0.6, device: "Kobo" });
    expect((await report(id, { locator: "c", fraction: 0.3 })).body).toMatchObject({ locator: "b", fraction: 0.6 });
    expect((await get(`/api/ebooks/issue/${id}/progress`)).body.further).toMatchObject({
      device: "Kobo",
      fraction: 0.6,
    });
    const back = await report(id, { locator: "c", fraction: 0.3, mayGoBack: true });
    expect(back.body).toMatchObject({ locator: "c", fraction: 0.3 });
    expect((await report(id, { locator: "z", fraction: 1, ...kobo })).body).toMatchObject({ completed: true });
    const statistics = (await get("/api/ebooks/stats?days=7")).body;
    expect(statistics).toMatchObject({ finished: 1, reading: 0, streakDays: 1 });
    expect(statistics.perDay).toHaveLength(7);
    const locator = { href: "one.xhtml", locations: { progression: 0.5 } };
    const again = await report(id, { locator, fraction: 0.5, restart: true });
    expect(again.body).toMatchObject({ locator: JSON.stringify(locator), completed: false });
  });

  it("that are none are refused, naming the field", async () => {
    const id = await room.idOf("letters.epub");
    for (const body of [{ locator: "a", fraction: 2 }, { fraction: 0.5 }, { locator: "x".repeat(5000), fraction: 0 }])
      expect((await report(id, body)).status).toBe(400);
    expect((await report(-4711, { locator: "a", fraction: 0 })).status).toBe(404);
  });
});

describe("bookmarks, highlights and notes", () => {
  const list = async (id: number, role = "viewer") => (await get(`/api/ebooks/issue/${id}/bookmarks`, role)).body;
  const add = (id: number, body: object, role = "viewer") => post(`/api/ebooks/issue/${id}/bookmarks`, body, role);

  it("are added, changed, listed by their place, and removed", async () => {
    const id = await room.idOf("letters.epub");
    const late = await add(id, { locator: "b", fraction: 0.8 });
    const early = await add(id, { locator: "a", fraction: 0.2, note: "So\0 true", color: "yellow", text: "The tide" });
    expect([late.status, early.status]).toEqual([200, 200]);
    expect(await list(id)).toMatchObject([
      { id: early.body.id, locator: "a", fraction: 0.2, note: "So true", color: "yellow", text: "The tide" },
      { id: late.body.id, locator: "b", note: null, color: null, text: null },
    ]);
    expect(await list(id, "trusted")).toEqual([]);
    await add(id, { id: late.body.id, locator: "b", fraction: 0.8, note: "Later" });
    expect((await list(id))[1]).toMatchObject({ id: late.body.id, note: "Later" });
    const foreign = await add(id, { id: late.body.id, locator: "b", fraction: 0.8 }, "trusted");
    expect(foreign).toMatchObject({ status: 400, body: { details: { id: "names no bookmark of this book" } } });
    const remove = (role: string) => room.host.as(role).delete(`/api/ebooks/bookmarks/${late.body.id}`);
    expect((await remove("trusted")).body).toEqual({ removed: false });
    expect((await remove("viewer")).body).toEqual({ removed: true });
    expect((await remove("viewer")).body).toEqual({ removed: false });
    expect(await list(id)).toHaveLength(1);
  });

  it("of wrong fields are refused", async () => {
    const id = await room.idOf("letters.epub");
    for (const body of [
      { fraction: 0.1 },
      { locator: "a", fraction: 0.1, color: "url(x)" },
      { locator: "a", fraction: -1 },
    ])
      expect((await add(id, body)).status).toBe(400);
  });
});

describe("who may", () => {
  it("is decided by the permission, for every route", async () => {
    await post("/api/roles", { name: "no-books", permissions: ["library.view"] }, "admin");
    const id = await room.idOf("letters.epub");
    const gets = [
      `issue/${id}/file`,
      `issue/${id}/cover`,
      `issue/${id}/progress`,
      `issue/${id}/bookmarks`,
      "state",
      "stats",
    ];
    const all = [...gets, `books?issues=${id}`].map((path) => `/api/ebooks/${path}`);
    for (const role of ["no-books", "anonymous"]) {
      const client = room.host.as(role);
      // The account is made by the first request.
      expect((await client.get("/api/ebooks/state")).status).toBe(role === "anonymous" ? 401 : 403);
      const statuses = [
        ...(await Promise.all(all.map(async (path) => (await client.get(path)).status))),
        (await client.post(`/api/ebooks/issue/${id}/progress`, { locator: "a", fraction: 0 })).status,
        (await client.post(`/api/ebooks/issue/${id}/bookmarks`, { locator: "a", fraction: 0 })).status,
        (await client.delete("/api/ebooks/bookmarks/1")).status,
      ];
      expect([...new Set(statuses)]).toEqual([role === "anonymous" ? 401 : 403]);
    }
  });

  it("does not know of restricted books", async () => {
    const id = await room.idOf("letters.epub");
    const [{ id: bookmarkId }] = (await get(`/api/ebooks/issue/${id}/bookmarks`)).body;
    const restrict = (restricted: boolean) => post(`/api/libraries/${room.libraryId}`, { restricted }, "admin");
    await restrict(true);
    const asked = ["file", "cover", "progress", "bookmarks"].map((part) => `/api/ebooks/issue/${id}/${part}`);
    expect(await Promise.all(asked.map(async (path) => (await get(path)).status))).toEqual([404, 404, 404, 404]);
    expect((await get(`/api/ebooks/books?issues=${id}`)).body).toEqual([]);
    expect((await get("/api/ebooks/state")).body).toEqual({});
    expect((await get("/api/ebooks/stats")).body).toMatchObject({ finished: 0, reading: 0 });
    expect((await post(`/api/ebooks/issue/${id}/progress`, { locator: "a", fraction: 0 })).status).toBe(404);
    expect((await room.host.as("viewer").delete(`/api/ebooks/bookmarks/${bookmarkId}`)).body).toEqual({
      removed: false,
    });
    expect((await get("/api/opds/shelves/all-books")).body).not.toContain("Letters");
    expect((await get(`/api/ebooks/issue/${id}/file`, "admin")).status).toBe(200);
    await restrict(false);
    expect((await get(`/api/ebooks/issue/${id}/bookmarks`)).body).toHaveLength(1);
  });
});

describe("in catalogs for reading apps", () => {
  it("books are on a shelf in both versions, with the types of their files", async () => {
    expect((await get("/api/opds")).body).toContain("/api/opds/shelves/all-books");
    const feed = (await get("/api/opds/shelves/all-books")).body as string;
    expect(feed.indexOf("Letters")).toBeLessThan(feed.indexOf("The Salt Road"));
    expect(feed).toContain('type="application/epub+zip"');
    const { publications } = (await get("/api/opds/v2/shelves/all-books")).body;
    const links = publications[1].links as Array<{ rel: string; href: string; type: string }>;
    const acquisition = links.find(({ rel }) => rel.includes("acquisition"))!;
    expect(acquisition.type).toBe("application/epub+zip");
    const file = await get(acquisition.href.slice(room.host.url.length));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/epub+zip"]);
  });
});

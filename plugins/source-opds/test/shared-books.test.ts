import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { openBookRoom } from "../../books/test/support/book-room.js";
import { epub } from "../../books/test/support/epub.js";

const account = { username: "other-library", password: "a long password 4711" };

it.each(["/api/opds", "/api/opds/v2"])(
  "another Longbox is shown in a library of books by its catalog at %s, and its books are read here",
  async (catalog) => {
    const picture = await sharp({ create: { width: 60, height: 90, channels: 3, background: "#23395d" } })
      .png()
      .toBuffer();
    const salt = epub({ metadata: "<dc:language>en</dc:language><dc:description>Of tides.</dc:description>" });
    await using far = await openBookRoom({
      fill: async (root) => {
        await writeFile(join(root, "salt.epub"), salt);
        await writeFile(join(root, "ebb.epub"), epub({ title: "Ebb", cover: picture }));
      },
    });
    expect((await far.host.as("admin").post("/api/users", { ...account, role: "viewer" })).status).toBeLessThan(300);
    await using near = await openBookRoom({ fill: async () => {}, plugins: ["source-opds"] });
    const entry = { name: "The harbour library", url: far.host.url + catalog, ...account, asLibrary: true };
    const saved = await near.host.as("admin").post("/api/settings", { "source-opds": { catalogs: [entry] } });
    expect(saved.status).toBe(200);

    await vi.waitUntil(async () => Object.keys(await near.rows()).length === 2, { timeout: 20_000, interval: 100 });
    const viewer = near.host.as("viewer");
    const id = await near.idOf("The Salt Road.epub");
    const [described] = (await viewer.get(`/api/ebooks/books?issues=${id}`)).body;
    expect(described).toMatchObject({ title: "The Salt Road", authors: ["Ada Quill"], format: "epub" });
    const file = await viewer.get(`/api/ebooks/issue/${id}/file`);
    expect([file.status, Buffer.from(file.bytes).equals(salt)]).toEqual([200, true]);
    const cover = await viewer.get(`/api/ebooks/issue/${await near.idOf("Ebb.epub")}/cover`);
    expect([cover.status, cover.headers.get("content-type")]).toEqual([200, "image/jpeg"]);

    // What was fetched stays; what the other library has lost since is said to be unavailable.
    await rm(join(far.root, "salt.epub"));
    await rm(join(far.root, "ebb.epub"));
    expect((await viewer.get(`/api/ebooks/issue/${id}/file`)).status).toBe(200);
    const lost = await viewer.get(`/api/ebooks/issue/${await near.idOf("Ebb.epub")}/file`);
    expect(lost).toMatchObject({ status: 404, body: { unavailable: true } });
  },
);

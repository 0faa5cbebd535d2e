import { mkdir, open, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longText, startBookServer, type BookServer } from "./support/book-server.js";

const saltRoad = `Title: The Salt Road
Author: Ada Quill
Series: Low Tides #2
Language: en
ISBN: 978-0-306-40615-7

${longText(60_000)}`;

let server: BookServer;
const get = (path: string, role = "viewer") => server.host.as(role).get(path);
const post = (path: string, body: unknown, role = "viewer") => server.host.as(role).post(path, body);

interface BookRow {
  readonly id: number;
  readonly cvIssueId: number;
  readonly label: { readonly full: string; readonly short: string; readonly within: string | null };
  readonly format: string | null;
  readonly files: ReadonlyArray<{ readonly name: string; readonly valid: boolean; readonly error?: string }>;
}

/** Every book, by the name of its file. */
async function books(role = "viewer"): Promise<Record<string, BookRow>> {
  const series = (await get("/api/collection?filter=text", role)).body as Array<{ id: number }>;
  const found: Record<string, BookRow> = {};
  for (const { id } of series)
    for (const issue of (await get(`/api/collection/${id}`, role)).body.issues as BookRow[])
      found[issue.files[0]!.name] = issue;
  return found;
}

const idOf = async (name: string) => (await books())[name]!.cvIssueId;

beforeAll(async () => {
  server = await startBookServer(
    async (root) => {
      await mkdir(join(root, "Ada Quill"));
      await writeFile(join(root, "Ada Quill/salt.txt"), saltRoad);
      const red = { create: { width: 300, height: 450, channels: 3 as const, background: "#a33" } };
      await sharp(red).jpeg().toFile(join(root, "Ada Quill/salt.jpg"));
      await writeFile(join(root, "Ada Quill/letters.txt"), "Title: Letters\nAuthor: Ada Quill\n\nDear all.\n");
      await writeFile(join(root, "Ada Quill/essays.txt"), "Title: Essays\nAuthor: Ada Quill\n\nOn tides.\n");
      await writeFile(join(root, "Café.txt"), Buffer.from("Le caf\xe9 \x93ferm\xe9\x94\n", "latin1"));
    },
    { published: true },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

describe("a library type from a registry", () => {
  it("is installed into the running server", () => {
    expect(server.installed).toMatchObject({ status: 200, body: { name: "text-books", state: "active" } });
  });

  it("finds books by what stands in them, in the words of the type", async () => {
    const found = await books();
    expect(Object.keys(found).sort()).toEqual(["Café.txt", "essays.txt", "letters.txt", "salt.txt"]);
    expect(found["salt.txt"]).toMatchObject({
      label: { full: "The Salt Road", short: "The Salt Road", within: "Low Tides, book 2" },
      format: "txt",
    });
    expect(found["letters.txt"]!.label).toEqual({ full: "Letters", short: "Letters", within: "Ada Quill" });
    expect(found["Café.txt"]!.label).toEqual({ full: "Café", short: "Café", within: null });
    expect((await get(`/api/issue/${found["salt.txt"]!.cvIssueId}`)).body).toMatchObject({
      credits: [{ name: "Ada Quill", role: "author" }],
      language: "en",
      ids: { isbn: ["9780306406157"] },
    });
  });

  it("shows the picture beside a book as its cover", async () => {
    const found = await books();
    const cover = await get(`/api/issue/${found["salt.txt"]!.cvIssueId}/cover`);
    expect([cover.status, (await sharp(cover.bytes).metadata()).width]).toEqual([200, 300]);
    expect((await get(`/api/issue/${found["letters.txt"]!.cvIssueId}/cover`)).status).toBe(404);
  });
});

describe("reading", () => {
  it("gives the whole text, part by part, cut between lines", async () => {
    const id = await idOf("salt.txt");
    const book = (await get(`/api/text-books/${id}`)).body;
    expect(book).toMatchObject({ title: "The Salt Road", within: "Low Tides, book 2", parts: 4, part: 0, fraction: 0 });
    const parts = [];
    for (let part = 0; part < book.parts; part++)
      parts.push((await get(`/api/text-books/${id}/parts/${part}`)).body.text as string);
    expect(parts.join("")).toBe(saltRoad);
    expect(parts.filter((text) => !text.endsWith("\n"))).toEqual([]);
    expect((await get(`/api/text-books/${id}/parts/4`)).status).toBe(404);
    expect((await get(`/api/text-books/${await idOf("Café.txt")}/parts/0`)).body.text).toBe("Le café “fermé”\n");
  });

  it("keeps the place through the reading state that every program shares", async () => {
    const id = await idOf("salt.txt");
    const { from } = (await get(`/api/text-books/${id}/parts/2`)).body;
    const kept = await post(`/api/text-books/${id}/place`, { part: 2 });
    const fraction = from / Buffer.byteLength(saltRoad);
    expect(kept).toMatchObject({ status: 200, body: { part: 2, completed: false } });
    expect(kept.body.fraction).toBeCloseTo(fraction, 6);
    expect((await get(`/api/text-books/${id}`)).body).toMatchObject({ part: 2 });
    const [badges] = (await post("/api/reading/badges", { kind: "issue", ids: [(await books())["salt.txt"]!.id] })).body
      .items;
    expect(badges).toMatchObject({ badges: [{ kind: "progress" }], facts: { reading: "reading" } });
    // Another user has read nothing, and a reading app that goes on is followed.
    expect((await get(`/api/text-books/${id}`, "trusted")).body).toMatchObject({ part: 0, fraction: 0 });
    const told = {
      modified: new Date().toISOString(),
      device: { id: "urn:uuid:0f14d0ab-9605-4a62-a9e4-5ed26688389b", name: "A tablet" },
      progression: 0.9,
    };
    const answer = await fetch(`${server.host.url}/api/opds/v2/issue/${id}/progression`, {
      method: "PUT",
      headers: {
        "X-Api-Key": server.host.as("viewer").key!,
        "Content-Type": "application/opds-progression+json",
      },
      body: JSON.stringify(told),
    });
    expect(answer.status).toBe(200);
    expect((await get(`/api/text-books/${id}`)).body).toMatchObject({ part: 3, fraction: 0.9 });
    expect((await post(`/api/text-books/${id}/place`, { part: 3, finished: true })).body).toEqual({
      part: 3,
      fraction: 1,
      completed: true,
    });
  });

  it("refuses a place that is none, naming the field", async () => {
    const id = await idOf("salt.txt");
    expect(await post(`/api/text-books/${id}/place`, { part: -1 })).toMatchObject({
      status: 400,
      body: { details: { part: expect.any(String) } },
    });
    expect((await post(`/api/text-books/${id}/place`, { part: 4 })).status).toBe(404);
    expect((await get("/api/text-books/-4711")).status).toBe(404);
  });
});

describe("in catalogs for reading apps", () => {
  it("stands on a shelf of its own in both versions, to be downloaded", async () => {
    const [feed, publications] = [
      await get("/api/opds/shelves/text-books"),
      await get("/api/opds/v2/shelves/text-books"),
    ];
    expect((await get("/api/opds")).body).toContain("/api/opds/shelves/text-books");
    for (const text of ["The Salt Road", "Low Tides, book 2", "Letters", 'type="text/plain"', "opds-spec.org/image"])
      expect(feed.body).toContain(text);
    expect(feed.body).not.toMatch(/#\d|pages/);
    const salt = publications.body.publications.find(
      ({ metadata }: { metadata: { title: string } }) => metadata.title === "The Salt Road",
    );
    const { href, type } = salt.links.find(({ rel }: { rel: string }) => rel.includes("acquisition"));
    expect(type).toBe("text/plain");
    const file = await get(href.slice(server.host.url.length));
    expect([file.status, file.body]).toEqual([200, saltRoad]);
  });
});

describe("what is no book", () => {
  it("is told apart with a reason, and harms nothing", async () => {
    await writeFile(join(server.root, "garbage.txt"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255]));
    await writeFile(join(server.root, "late.txt"), `${longText(400_000)}\0`);
    await writeFile(join(server.root, "empty.txt"), "");
    const sparse = await open(join(server.root, "sparse.txt"), "w");
    await sparse.write(longText(20_000));
    await sparse.close();
    await truncate(join(server.root, "sparse.txt"), 3 * 1024 ** 3);
    await writeFile(join(server.root, "line.txt"), "é".repeat(40_000));
    await server.scan();
    const found = await books("admin");
    const reasons = ["garbage.txt", "late.txt", "empty.txt", "sparse.txt"].map((name) => found[name]?.files[0]?.error);
    expect(reasons).toEqual([
      "The file has none of the formats that can be read here.",
      "The file holds bytes that no text has.",
      "The file is empty.",
      "The file is larger than 32 MB.",
    ]);
    for (const name of ["garbage.txt", "late.txt", "sparse.txt"]) {
      expect(found[name]).toMatchObject({ format: null });
      expect((await get(`/api/text-books/${found[name]!.cvIssueId}`)).status).toBe(404);
    }
    const line = found["line.txt"]!.cvIssueId;
    const { parts } = (await get(`/api/text-books/${line}`)).body;
    const texts = [];
    for (let part = 0; part < parts; part++)
      texts.push((await get(`/api/text-books/${line}/parts/${part}`)).body.text as string);
    expect(texts.join("")).toBe("é".repeat(40_000));
  });
});

describe("a library that is restricted", () => {
  it("is not there for users who may not see it", async () => {
    const id = await idOf("salt.txt");
    const [{ id: libraryId }] = (await get("/api/libraries", "admin")).body.libraries;
    await post(`/api/libraries/${libraryId}`, { restricted: true }, "admin");
    const asked = [`/api/text-books/${id}`, `/api/text-books/${id}/parts/0`, `/api/issue/${id}/cover`];
    expect(await Promise.all(asked.map(async (path) => (await get(path)).status))).toEqual([404, 404, 404]);
    expect((await post(`/api/text-books/${id}/place`, { part: 0 })).status).toBe(404);
    expect((await get("/api/opds/shelves/text-books")).body).not.toContain("Salt Road");
    expect((await get(`/api/text-books/${id}`, "admin")).status).toBe(200);
    await post(`/api/libraries/${libraryId}`, { restricted: false }, "admin");
  });
});

describe("without the plugin", () => {
  it("the books stay known, and can be read again once it is back", async () => {
    const id = await idOf("salt.txt");
    await server.host.disable("text-books");
    expect((await get(`/api/text-books/${id}`)).status).toBe(404);
    expect((await get(`/api/issue/${id}`)).status).toBe(200);
    await server.host.enable("text-books");
    expect((await get(`/api/text-books/${id}`)).status).toBe(200);
  });
});

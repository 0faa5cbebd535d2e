import { mkdir, writeFile } from "node:fs/promises";
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
    const id = rows["salt.epub"]!.cvIssueId;
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

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { zip } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom, type BookRow } from "./support/book-room.ts";
import { epub } from "./support/epub.ts";
import { fictionBook } from "./support/fiction-book.ts";
import { mobi } from "./support/mobi.ts";
import { pdf } from "./support/pdf.ts";

let room: BookRoom;
let rows: Record<string, BookRow>;
const describeBook = async (name: string) =>
  (await room.host.as("viewer").get(`/api/ebooks/books?issues=${rows[name]!.cvIssueId}`)).body[0];
const coverOf = async (name: string) => {
  const answer = await room.host.as("viewer").get(`/api/ebooks/issue/${rows[name]!.cvIssueId}/cover`);
  return answer.status === 200 ? (await sharp(answer.bytes).metadata()).width : answer.status;
};
/** JPEGs that are told apart by their width. */
const jpeg = (width: number) =>
  sharp({ create: { width, height: 400, channels: 3, background: "#36a" } })
    .jpeg()
    .toBuffer();

const exth = [
  [100, "Quill, Ada"],
  [100, "Ira Bloom"],
  [101, "Heron House"],
  [103, "<p>A <i>tide</i>.</p>"],
  [104, "9780306406157"],
  [105, "Tides; Roads"],
  [106, "2019-03-07"],
  [113, "B00ABCDEFG"],
  [503, "The Salt Road: A Novel"],
  [524, "en"],
] as const;

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:calibre="http://calibre-ebook.com/xmp-namespace" xmlns:calibreSI="x">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Bell Cycle</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ada Quill</rdf:li><rdf:li>Ira Bloom</rdf:li></rdf:Seq></dc:creator>
<calibre:series rdf:parseType="Resource"><rdf:value>Night Bells</rdf:value><calibreSI:series_index>2.50</calibreSI:series_index></calibre:series>
</rdf:Description></rdf:RDF></x:xmpmeta>`;

const opf = (title: string, series: string) => `<package xmlns="http://www.idpf.org/2007/opf" version="2.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>${title}</dc:title><dc:creator opf:role="aut" opf:file-as="Quill, Ada">Ada Quill</dc:creator>
<dc:date>0101-01-01T00:00:00+00:00</dc:date><dc:language>eng</dc:language>
<meta name="calibre:series" content="${series}"/><meta name="calibre:series_index" content="3.0"/></metadata></package>`;

const inSeries = (name: string, number: number) =>
  `<meta name="calibre:series" content="${name}"/><meta name="calibre:series_index" content="${number}"/>`;

const encryption = (algorithm: string) => `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="${algorithm}"/>
<CipherData><CipherReference URI="OEBPS/one.xhtml"/></CipherData></EncryptedData></encryption>`;
const aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";

async function fill(root: string): Promise<void> {
  const files: Record<string, string | Uint8Array> = {
    "mobi/salt.mobi": mobi({ records: exth, cover: await jpeg(210) }),
    "mobi/bare.azw3": mobi({ title: "Bare", version: 8 }),
    "mobi/locked.azw": mobi({ title: "Locked", records: [[100, "Ada Quill"]], isProtected: true }),
    "mobi/new.kfx": Buffer.from("CONT\u0002\u0000 something"),
    "fb2/salt.fb2": fictionBook({ sequence: '<sequence name="Low Tides" number="02"/>', cover: await jpeg(220) }),
    "fb2/packed.fb2.zip": zip(
      new Map([["a.fb2", Buffer.from(fictionBook({ title: "Packed", cover: await jpeg(230) }))]]),
      { deflate: true },
    ),
    "fb2/cyrillic.fb2": Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><FictionBook><description><title-info><book-title>'),
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      Buffer.from("</book-title></title-info></description></FictionBook>"),
    ]),
    "pdf/plain.pdf": pdf({ information: String.raw`/Title (Plain \(and\) simple) /Author (Ada Quill)`, pages: 12 }),
    "pdf/packed.pdf": pdf({ information: "/Title <FEFF00C9007400E9>", packed: true, pages: 7 }),
    "pdf/described.pdf": pdf({ information: "/Title (Microsoft Word - x.doc)", xmp }),
    "pdf/junk name.pdf": pdf({ information: "/Title (Microsoft Word - draft3.doc)" }),
    "pdf/bought.pdf": pdf({ trailer: "/Encrypt 4 0 R", objects: ["<< /Filter /EBX_HANDLER /V 4 >>"] }),
    "pdf/limited.pdf": pdf({ trailer: "/Encrypt 4 0 R", objects: ["<< /Filter /Standard /V 2 >>"] }),
    "epub2/old.epub": epub({
      opf: `<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><metadata xmlns:dc="x" xmlns:opf="y">
<dc:title>Old</dc:title><dc:creator opf:role="aut">Ada Quill</dc:creator><dc:creator opf:role="ill">Ira Bloom</dc:creator>
<dc:contributor opf:role="bkp">calibre (6.13)</dc:contributor><dc:identifier opf:scheme="ISBN">0306406152</dc:identifier>
<meta name="cover" content="img"/><meta name="calibre:series" content="Bells"/><meta name="calibre:series_index" content="1"/>
</metadata><manifest><item id="img" href="c.jpg" media-type="image/jpeg"/><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>
</manifest><spine toc="ncx"><itemref idref="one"/></spine></package>`,
      files: { "OEBPS/c.jpg": await jpeg(240) },
    }),
    "epub2/manga.epub": epub({
      title: "Right to left",
      metadata: '<meta property="rendition:layout">pre-paginated</meta>',
      spine: 'page-progression-direction="rtl"',
    }),
    "drm/adobe.epub": epub({
      title: "Bought",
      files: {
        "META-INF/encryption.xml": encryption(aes),
        "META-INF/rights.xml": '<adept:rights xmlns:adept="http://ns.adobe.com/adept"/>',
      },
    }),
    "drm/lcp.epub": epub({ title: "Lent", files: { "META-INF/license.lcpl": "{}" } }),
    "drm/apple.epub": epub({
      title: "From Apple",
      files: { "META-INF/encryption.xml": encryption(aes), "META-INF/sinf.xml": "<x/>" },
    }),
    "drm/fonts.epub": epub({
      title: "Fonts only",
      files: { "META-INF/encryption.xml": encryption("http://www.idpf.org/2008/embedding") },
    }),
    "Ada Quill/High Water (12)/High Water - Ada Quill.azw3": mobi({
      version: 8,
      title: "High Water",
      records: [[100, "Ada Quill"]],
    }),
    "Ada Quill/High Water (12)/High Water - Ada Quill.epub": epub({ title: "High Water" }),
    "Ada Quill/High Water (12)/metadata.opf": opf("High Water", "Low Tides"),
    "Ada Quill/High Water (12)/cover.jpg": await jpeg(250),
    "Ada Quill/Ebb (13)/Ebb - Ada Quill.epub": epub({ title: "Ebb" }),
    "Ada Quill/Ebb (13)/metadata.opf": opf("Ebb", "Low Tides").replace("3.0", "4.0"),
    "Ira Bloom/Night Bell/01 - First Bell.txt": "No headers here.\n",
    "Ira Bloom/Night Bell/02 - Second Bell.txt": "None here either.\n",
    "Ira Bloom/Night Bell/02 - Second Bell.jpg": await jpeg(260),
    "twins/road.kepub.epub": epub({ title: "Road" }),
    "twins/road.epub": epub({ title: "Road", text: "plain" }),
    "Tessa Rook/first.epub": epub({ title: "First", author: "Tessa Rook", metadata: inSeries("Rooks", 1) }),
    "Tessa Rook/also first.epub": epub({ title: "Another one", author: "Tessa Rook", metadata: inSeries("Rooks", 1) }),
    "Tessa Rook/first.mobi": mobi({
      title: "First: A Rook",
      records: [
        [100, "Tessa Rook"],
        [104, "9780141036144"],
      ],
    }),
    "Tessa Rook/first.opf": opf("First (Rooks 1)", "Rooks").replace("3.0", "1.0").replace("Ada Quill", "Tessa Rook"),
    "beside/tide.azw3": mobi({ title: "The Tide", version: 8, records: [[100, "Bo Fern"]] }),
    "beside/tide.epub": epub({ title: "Tide", author: "Bo Fern", metadata: inSeries("Seas", 3) }),
    "beside/tide.pdf": pdf({ information: "/Title (draft)" }),
    "isbn/three/ebb.epub": epub({
      title: "Late",
      metadata: `${inSeries("Floods", 2)}<dc:identifier>urn:isbn:9780141439518</dc:identifier>`,
    }),
    "isbn/two/late.mobi": mobi({
      title: "Late",
      records: [
        [104, "9780141439518"],
        [100, "Ada Quill"],
      ],
    }),
    "isbn/one/flood.epub": epub({ title: "Flood", metadata: "<dc:identifier>urn:isbn:9781566199094</dc:identifier>" }),
    "isbn/two/flood.mobi": mobi({
      title: "The Flood: A Novel",
      records: [
        [104, "9781566199094"],
        [100, "Ada Quill"],
      ],
    }),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

beforeAll(async () => {
  room = await openBookRoom({ fill });
  rows = await room.rows();
}, 60_000);
afterAll(() => room[Symbol.asyncDispose]());

describe("MOBI and AZW3", () => {
  it("are read by their headers, the cover included", async () => {
    expect(await describeBook("salt.mobi")).toMatchObject({
      title: "The Salt Road: A Novel",
      authors: ["Ada Quill", "Ira Bloom"],
      format: "mobi",
      language: "en",
      isbn: "9780306406157",
      description: "A tide.",
    });
    expect(await coverOf("salt.mobi")).toBe(210);
    expect(await describeBook("bare.azw3")).toMatchObject({ title: "Bare", format: "azw3" });
  });

  it("that are protected, or of a kind that cannot be read, say so", async () => {
    expect(rows["locked.azw"]!.files[0]).toMatchObject({
      valid: false,
      error: "The book is protected by Amazon (DRM): only the seller's programs can open it.",
    });
    expect(await describeBook("locked.azw")).toMatchObject({ title: "Locked", authors: ["Ada Quill"], drm: "amazon" });
    expect(rows["new.kfx"]!.files[0]!.error).toBe("The book is in Amazon's KFX format, which cannot be read here.");
  });
});

describe("FictionBook", () => {
  it("is read with its series, packed or not, in any encoding", async () => {
    expect(await describeBook("salt.fb2")).toMatchObject({
      title: "The Salt Road",
      authors: ["Ada Quill"],
      series: "Low Tides",
      number: "2",
      language: "ru",
      description: expect.stringContaining("Two."),
    });
    expect(await describeBook("packed.fb2.zip")).toMatchObject({ title: "Packed", format: "fbz" });
    expect(await describeBook("cyrillic.fb2")).toMatchObject({ title: "Привет" });
    expect([await coverOf("salt.fb2"), await coverOf("packed.fb2.zip")]).toEqual([220, 230]);
  });

  it("is sent so that no browser runs what is in it", async () => {
    const file = await room.host.as("viewer").get(`/api/ebooks/issue/${rows["salt.fb2"]!.cvIssueId}/file`);
    expect(file.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  });
});

describe("PDF", () => {
  it("says its title, authors and pages, in either kind of metadata", async () => {
    expect(await describeBook("plain.pdf")).toMatchObject({
      title: "Plain (and) simple",
      authors: ["Ada Quill"],
      pages: 12,
    });
    expect(await describeBook("packed.pdf")).toMatchObject({ title: "Été", pages: 7 });
    expect(await describeBook("described.pdf")).toMatchObject({
      title: "Bell Cycle",
      authors: ["Ada Quill", "Ira Bloom"],
      series: "Night Bells",
      number: "2.5",
    });
    expect(await describeBook("junk name.pdf")).toMatchObject({ title: "junk name" });
  });

  it("of a seller is told from one that only limits printing", async () => {
    expect(await describeBook("bought.pdf")).toMatchObject({ drm: "adobe" });
    expect(await describeBook("limited.pdf")).toMatchObject({ drm: null });
  });
});

describe("EPUB", () => {
  it("2 is read as well as 3, with the ways of calibre", async () => {
    expect(await describeBook("old.epub")).toMatchObject({
      title: "Old",
      authors: ["Ada Quill"],
      series: "Bells",
      number: "1",
      isbn: "9780306406157",
    });
    expect(await coverOf("old.epub")).toBe(240);
    const { credits } = (await room.host.as("viewer").get(`/api/issue/${rows["old.epub"]!.cvIssueId}`)).body;
    expect(credits).toEqual([
      { name: "Ada Quill", role: "author" },
      { name: "Ira Bloom", role: "illustrator" },
    ]);
  });

  it("says its direction and its layout", async () => {
    expect(await describeBook("manga.epub")).toMatchObject({ rightToLeft: true, fixedLayout: true });
  });

  it("that is protected says by which scheme, and fonts alone protect nothing", async () => {
    const drm = await Promise.all(
      ["adobe.epub", "lcp.epub", "apple.epub", "fonts.epub"].map(async (name) => (await describeBook(name)).drm),
    );
    expect(drm).toEqual(["adobe", "lcp", "apple", null]);
    expect(rows["adobe.epub"]!.files[0]!.error).toContain("Adobe (DRM)");
    const { status } = await room.host.as("viewer").get(`/api/ebooks/issue/${rows["adobe.epub"]!.cvIssueId}/file?dl=1`);
    expect(status).toBe(200);
  });
});

describe("what lies beside a book", () => {
  it("in a folder of calibre is its metadata and its cover, and its series is one", async () => {
    const water = await describeBook("High Water - Ada Quill.azw3");
    expect(water).toMatchObject({ series: "Low Tides", number: "3", formats: ["epub", "azw3"] });
    expect(await coverOf("High Water - Ada Quill.azw3")).toBe(250);
    expect(rows["Ebb - Ada Quill.epub"]!.seriesId).toBe(rows["High Water - Ada Quill.azw3"]!.seriesId);
  });

  it("is its folders, where the book says nothing", async () => {
    expect(await describeBook("02 - Second Bell.txt")).toMatchObject({
      title: "Second Bell",
      authors: ["Ira Bloom"],
      series: "Night Bell",
      number: "2",
    });
    expect(await coverOf("02 - Second Bell.txt")).toBe(260);
    expect(await coverOf("01 - First Bell.txt")).toBe(404);
  });
});

describe("one book", () => {
  it("is sent as what every program reads when it has a twin for a Kobo", async () => {
    const { cvIssueId } = rows["road.epub"]!;
    const book = await describeBook("road.epub");
    expect(book.files).toHaveLength(2);
    const { headers } = await room.host.as("viewer").get(`/api/ebooks/issue/${cvIssueId}/file`);
    expect(headers.get("content-disposition")).toContain("road.epub");
  });

  it("has all its formats, also when only the ISBN says that they are one", async () => {
    expect(rows["flood.epub"]!.files.map(({ name }) => name)).toEqual(["flood.epub", "flood.mobi"]);
    expect((await describeBook("flood.epub")).formats).toEqual(["epub", "mobi"]);
    const mobiFile = await room.host
      .as("viewer")
      .get(`/api/ebooks/issue/${rows["flood.epub"]!.cvIssueId}/file?format=mobi`);
    expect(mobiFile.headers.get("content-type")).toBe("application/x-mobipocket-ebook");
  });

  it("is found in formats that do not say their series, by their names or the ISBN", async () => {
    expect(await describeBook("tide.azw3")).toMatchObject({
      series: "Seas",
      number: "3",
      formats: ["epub", "azw3", "pdf"],
    });
    expect(rows["ebb.epub"]!.files.map(({ name }) => name)).toEqual(["ebb.epub", "late.mobi"]);
  });

  it("is offered to reading apps in the format that is read best", async () => {
    const feed = (await room.host.as("viewer").get("/api/opds/shelves/all-books")).body as string;
    const entry = feed.slice(feed.indexOf("High Water"), feed.indexOf("</entry>", feed.indexOf("High Water")));
    expect(entry).toContain('type="application/epub+zip"');
  });

  it("is not another of its series that was given the same number", () => {
    expect(rows["also first.epub"]!.files).toHaveLength(1);
    expect(rows["first.epub"]!.files.map(({ name }) => name)).toEqual(["first.epub", "first.mobi"]);
    expect(rows["first.epub"]!.seriesId).toBe(rows["also first.epub"]!.seriesId);
  });
});

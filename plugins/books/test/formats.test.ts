import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBooks } from "./support/books-of-all-formats.ts";
import { openBookRoom, type BookRoom, type BookRow } from "./support/book-room.ts";

let room: BookRoom;
let rows: Record<string, BookRow>;
const describeBook = async (name: string) =>
  (await room.host.as("viewer").get(`/api/ebooks/books?issues=${rows[name]!.id}`)).body[0];
const coverOf = async (name: string) => {
  const answer = await room.host.as("viewer").get(`/api/ebooks/issue/${rows[name]!.id}/cover`);
  return answer.status === 200 ? (await sharp(answer.bytes).metadata()).width : answer.status;
};
beforeAll(async () => {
  room = await openBookRoom({ fill: writeBooks });
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
    const file = await room.host.as("viewer").get(`/api/ebooks/issue/${rows["salt.fb2"]!.id}/file`);
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

  it("of a seller, or with a password, is told from one that only limits printing", async () => {
    expect(await describeBook("locked.pdf")).toMatchObject({ drm: "password" });
    expect(rows["locked.pdf"]!.files[0]!.error).toBe("The book is protected by a password.");
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
    const { status } = await room.host.as("viewer").get(`/api/ebooks/issue/${rows["adobe.epub"]!.id}/file?dl=1`);
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
    const { id } = rows["road.epub"]!;
    const book = await describeBook("road.epub");
    expect(book.files).toHaveLength(2);
    const { headers } = await room.host.as("viewer").get(`/api/ebooks/issue/${id}/file`);
    expect(headers.get("content-disposition")).toContain("road.epub");
  });

  it("has all its formats, also when only the ISBN says that they are one", async () => {
    expect(rows["flood.epub"]!.files.map(({ name }) => name)).toEqual(["flood.epub", "flood.mobi"]);
    expect((await describeBook("flood.epub")).formats).toEqual(["epub", "mobi"]);
    const mobiFile = await room.host.as("viewer").get(`/api/ebooks/issue/${rows["flood.epub"]!.id}/file?format=mobi`);
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

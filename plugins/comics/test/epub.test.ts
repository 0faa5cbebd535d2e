import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pages } from "@longbox/comics/contract";
import { drawPage, seededRandom } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEpub } from "../src/archives/epub/list-epub.js";
import { UnreadableArchive } from "../src/archives/unreadable.js";
import { startLibrary, untilSettled, type TestLibrary } from "../../files/test/support/library.js";
import { epub, fixedLayout, xhtml, type EpubOptions } from "./support/epub-writer.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/epub/w3c-epub-tests/", import.meta.url));
const size = { width: 160, height: 240 };
/** Page images, which all differ; the last one is small. */
let art: Uint8Array[];
beforeAll(async () => {
  art = await Promise.all([1, 2, 3, 4, 5].map((seed) => drawPage(seed, String(seed), size)));
  art.push(await drawPage(6, "", { width: 16, height: 16 }));
});

/** A comic of one page, with what a test changes. */
function onePage(changed: Partial<EpubOptions> = {}, body = '<img src="a.jpg"/>'): Uint8Array {
  const { files, ...others } = changed;
  return epub({
    spine: [{ href: "a.xhtml" }],
    files: { "OEBPS/a.jpg": art[0]!, "OEBPS/a.xhtml": xhtml(body), ...files },
    ...others,
  });
}

/** Pages in every form that the standard has, in an order that is not the one of their names. */
function everyForm(): Uint8Array {
  return epub({
    direction: 'page-progression-direction="rtl"',
    spine: [
      { href: "text/z.xhtml" },
      { href: "nav.xhtml" },
      { href: "text/b.xhtml" },
      { href: "images/direct.jpg", mediaType: "image/jpeg" },
      { href: "Drawn.svg", mediaType: "image/svg+xml" },
      { href: "credits.xhtml", properties: "rendition:layout-reflowable" },
      { href: "text/a%20b.xhtml" },
    ],
    files: {
      "OEBPS/text/z.xhtml": xhtml('<img src="../images/small.jpg"/><img alt="" src="../images/9%20cover.jpg#x"/>'),
      "OEBPS/nav.xhtml": xhtml("<nav><ol><li>1</li></ol></nav>"),
      "OEBPS/text/b.xhtml": xhtml(
        '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="../Images/B.JPG"/></svg>',
      ),
      "OEBPS/drawn.svg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="images/drawn.jpg"/></svg>',
      "OEBPS/credits.xhtml": xhtml('<img src="images/small.jpg"/>'),
      "OEBPS/text/a b.xhtml": xhtml('<script>alert(1)</script><img src="/OEBPS/images/last.jpg"/>'),
      "OEBPS/images/9 cover.jpg": art[0]!,
      "OEBPS/images/b.jpg": art[1]!,
      "OEBPS/images/direct.jpg": art[2]!,
      "OEBPS/images/drawn.jpg": art[3]!,
      "OEBPS/images/last.jpg": art[4]!,
      "OEBPS/images/small.jpg": art[5]!,
    },
  });
}

async function libraryOf(files: Readonly<Record<string, Uint8Array>>): Promise<TestLibrary> {
  return startLibrary({
    async fill(root) {
      await mkdir(join(root, "Moth Patrol (2019)"));
      for (const [number, bytes] of Object.entries(files))
        await writeFile(join(root, "Moth Patrol (2019)", `Moth Patrol ${number.padStart(3, "0")}.epub`), bytes);
    },
  });
}

describe("an EPUB of fixed layout", () => {
  it("is read as a comic: its pages in the order of the spine, from right to left where it says so, and a cover", async () => {
    await using library = await libraryOf({ 1: everyForm(), 2: onePage() });
    const found = await library.files();
    expect(found.map(({ number, pages, valid }) => ({ number, pages, valid }))).toEqual([
      { number: "1", pages: 5, valid: true },
      { number: "2", pages: 1, valid: true },
    ]);
    const pages = library.host.use(Pages);
    const [first, second] = found.map(({ cvIssueId }) => -cvIssueId) as [number, number];
    const list = await pages.findPages(first);
    expect(list).toMatchObject({
      rightToLeft: true,
      pages: art.slice(0, 5).map(({ length }) => ({ sizeBytes: length })),
    });
    expect(await pages.findPages(second)).toMatchObject({ rightToLeft: false });
    for (const [page, expected] of art.slice(0, 5).entries())
      expect(Buffer.from((await pages.readPageBytes(first, page)).bytes).equals(expected), `page ${page}`).toBe(true);
    const cover = await library.host.as("viewer").get(`/api/issue/${-first}/cover`);
    expect([cover.status, cover.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
  });

  it("is not written into: its tags are put beside it, and read from there", async () => {
    await using library = await libraryOf({ 1: onePage() });
    const folder = join(library.root, "Moth Patrol (2019)");
    const before = await readFile(join(folder, "Moth Patrol 001.epub"));
    const admin = library.host.as("admin");
    const [series] = (await admin.get("/api/collection")).body;
    const { startedAt } = (await admin.get("/api/scan-folder")).body;
    expect((await admin.post(`/api/collection/${series.id}/tag`)).status).toBe(200);
    await expect
      .poll(async () => (await admin.get("/api/tag-files")).body)
      .toMatchObject({
        running: false,
        message: "1 written, 0 not",
      });
    await untilSettled(library.host, startedAt);
    expect((await readFile(join(folder, "Moth Patrol 001.epub"))).equals(before)).toBe(true);
    expect(await readFile(join(folder, "Moth Patrol 001.ComicInfo.xml"), "utf8")).toContain("Moth Patrol");
  });
});

const deep = "<div>".repeat(100) + "</div>".repeat(100);
const laughs = `<!DOCTYPE p [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${"bcdefghij"[n]} "${`&${"abcdefghi"[n]};`.repeat(10)}">`).join("")}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
const encryption = (path: string) =>
  `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`;

/** EPUBs that are refused, with the reason. */
const refused: Record<string, [make: () => Uint8Array, reason: string]> = {
  "of flowing text": [
    () => onePage({ metadata: '<meta property="rendition:layout">reflowable</meta>' }),
    "The EPUB is a book of flowing text, not a comic.",
  ],
  "without a container": [() => onePage({ container: "" }), "The EPUB is damaged: it does not say what is in it."],
  "whose package document is not there": [
    () => onePage({ container: '<container><rootfile full-path="../../etc/passwd"/></container>' }),
    "The EPUB is damaged: it does not say what is in it.",
  ],
  "without a spine": [
    () => onePage({ packageDocument: `<package><metadata>${fixedLayout}</metadata></package>` }),
    "The EPUB is damaged: it does not say in which order it is read.",
  ],
  "whose spine names what is not in the manifest": [
    () => onePage({ packageDocument: `<package>${fixedLayout}<spine><itemref idref="x"/></spine></package>` }),
    "The EPUB is damaged: a page that it names is not in it.",
  ],
  "whose manifest leads out of it": [
    () => onePage({ spine: [{ href: "../../a.xhtml" }] }),
    "The EPUB is damaged: a page that it names is not in it.",
  ],
  "whose only images are elsewhere": [
    () =>
      onePage(
        { files: { "../above.jpg": art[0]! } },
        '<img src="../../above.jpg"/><img src="http://127.0.0.1:9/a.jpg"/><img src="file:///etc/passwd.jpg"/><img src="data:image/png;base64,AA"/><img src="%ZZ"/>',
      ),
    "The archive holds no pages.",
  ],
  "nested too deeply": [() => onePage({}, deep), "The EPUB is damaged: a document in it cannot be read."],
  "with a document of 5 MB": [
    () => onePage({}, " ".repeat(5_000_000)),
    "An entry of the archive is too large to be read.",
  ],
  "with more documents than a comic needs": [
    () =>
      onePage({
        spine: Array.from({ length: 30 }, (_, number) => ({ href: `${number}.xml` })),
        files: Object.fromEntries(
          Array.from({ length: 30 }, (_, number) => [`OEBPS/${number}.xml`, `<p>${" ".repeat(3_000_000)}</p>`]),
        ),
      }),
    "The EPUB holds more text than a comic can have.",
  ],
  "with more pages than a comic can have": [
    () => onePage({ spine: Array.from({ length: 20_001 }, () => ({ href: "a.jpg", mediaType: "image/jpeg" })) }),
    "The archive has more pages than a comic can have.",
  ],
  "whose pages are encrypted": [
    () => onePage({ files: { "META-INF/encryption.xml": encryption("OEBPS/a.jpg") } }),
    "The EPUB is protected: its pages are encrypted.",
  ],
};

/** EPUBs that are odd or hostile, and whose one page is read all the same. */
const read: Record<string, () => Uint8Array> = {
  "with nested entities in its package document": () =>
    onePage({ prologue: laughs, metadata: `<title>&j;&x;</title>${fixedLayout}` }),
  "with nested entities in a page": () =>
    onePage({ files: { "OEBPS/a.xhtml": `${laughs}<p>&j;&x;<img src="a.jpg"/></p>` } }),
  "whose fonts are obscured": () =>
    onePage({ files: { "META-INF/encryption.xml": encryption("OEBPS/a.otf"), "OEBPS/a.otf": "font" } }),
  "that says in the way of Kindles that its layout is fixed": () =>
    onePage({ metadata: '<meta name="fixed-layout" content="true"/>' }),
  "where only its page has a fixed layout": () =>
    onePage({
      metadata: "",
      spine: [{ href: "a.xhtml", properties: "rendition:layout-pre-paginated" }, { href: "gone.xhtml" }],
    }),
};

it(
  "reads or refuses each EPUB of the W3C's tests with a sentence, and takes those of fixed layout",
  needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
  async () => {
    const taken: string[] = [];
    const names = (await readdir(corpus)).filter((name) => name.endsWith(".epub"));
    for (const name of names) {
      try {
        listEpub(join(corpus, name));
        taken.push(name);
      } catch (thrown) {
        if (!(thrown instanceof UnreadableArchive)) throw thrown;
        expect(thrown.message, name).toMatch(/^The EPUB is .*\.$/);
      }
    }
    expect(names.length).toBeGreaterThan(30);

    expect(taken).toContain("lay-fxl-xhtml-icb.epub");
    expect(taken).not.toContain("cnt-xhtml-support.epub");
  },
);

describe("a hostile or damaged EPUB", () => {
  it("is refused with its reason, or read without what is hostile in it, and the others with it are read", async () => {
    const cases = [
      ...Object.entries(refused).map(([name, [make, reason]]) => ({ name, make, pages: 0, error: reason })),
      ...Object.entries(read).map(([name, make]) => ({ name, make, pages: 1, error: undefined })),
    ];
    await using library = await libraryOf(
      Object.fromEntries(cases.map(({ make }, index) => [String(index + 1), make()])),
    );
    const found = new Map((await library.files()).map((file) => [file.number, file]));
    expect(
      cases.map(({ name }, index) => [name, found.get(String(index + 1))?.pages, found.get(String(index + 1))?.error]),
    ).toEqual(cases.map(({ name, pages, error }) => [name, pages, error]));
    expect((await library.host.as("viewer").get("/healthz")).status).toBe(200);
  });

  describe("changed at random places", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "longbox-comics-epub-"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it("is listed, or refused with a sentence (400 changes)", async () => {
      const random = seededRandom(79);
      const path = join(folder, "changed.epub");
      const outcomes = { listed: 0, refused: 0 };
      for (let round = 0; round < 400; round++) {
        const bytes = Buffer.from(everyForm());
        for (let change = random.between(1, 8); change > 0; change--)
          bytes[random.between(38, 2500)] = random.between(0, 255);
        await writeFile(path, bytes);
        try {
          listEpub(path);
          outcomes.listed += 1;
        } catch (thrown) {
          if (!(thrown instanceof UnreadableArchive)) throw thrown;
          expect(thrown.message).toMatch(/^(?:The|An) .*\.$/);
          outcomes.refused += 1;
        }
      }
      expect(outcomes.listed).toBeGreaterThan(20);
      expect(outcomes.refused).toBeGreaterThan(20);
    });
  });
});

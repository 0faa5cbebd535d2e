import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { plainPng, rawZip } from "./bombs.ts";
import { box, mp4File, u32 } from "../../../plugins/audiobooks/test/support/mp4-file.ts";
import { epub } from "../../../plugins/books/test/support/epub.ts";

const megabyte = 1_000_000;

/** 400 megapixels. */
const largeCover = plainPng(20_000, 20_000);

/** An EPUB's package document with a text or elements in its metadata, and a cover. */
const packageOf = (metadata: string) =>
  `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="x">${metadata}</metadata><manifest>
<item id="c" href="c.png" media-type="image/png" properties="cover-image"/><item id="nav" href="nav.xhtml" properties="nav"/>
<item id="one" href="one.xhtml" media-type="x"/></manifest><spine><itemref idref="one"/></spine></package>`;

/** Books that cost more to read than they weigh, by their file names. */
function hostileBooks(): ReadonlyMap<string, Uint8Array> {
  const zeros = Buffer.alloc(250 * megabyte);
  const opf = (metadata: string) => epub({ opf: packageOf(metadata) });
  const title = "<dc:title>Trap</dc:title>";
  return new Map([
    ["a title without end.epub", opf(`<dc:title><![CDATA[${"]".repeat(4 * megabyte - 1000)}`)],
    ["many people.epub", opf(title + "<dc:creator>a</dc:creator>".repeat(45_000))],
    ["a document of 250 MB.epub", rawZip([{ name: "META-INF/container.xml", bytes: zeros }])],
    ["a large cover.epub", epub({ opf: packageOf(title), files: { "OEBPS/c.png": largeCover } })],
    [
      "a table of contents.epub",
      epub({
        opf: packageOf(title),
        files: { "OEBPS/nav.xhtml": `<nav>${'<a href="one.xhtml">chapter</a>'.repeat(45_000)}</nav>` },
      }),
    ],
    ["a text of 60 MB.txt", Buffer.alloc(60 * megabyte, "word ")],
    ["a document of FictionBook.fb2", Buffer.from(`<FictionBook><description>${"]]".repeat(4 * megabyte)}`)],
    ["names in each other.pdf", Buffer.from(`%PDF-1.5\n${"<<".repeat(4 * megabyte)}`)],
    ["whole.epub", epub({ title: "Whole" })],
  ]);
}

/** Recordings whose headers claim more than they hold, by their file names. */
function hostileRecordings(): ReadonlyMap<string, Uint8Array> {
  const sound = mp4File({ seconds: 2, chapters: [[0, "One"]], tags: { "\xa9alb": "Trap" } });
  const start = box("ftyp", Buffer.from("M4B \0\0\0\0", "latin1"));
  const tag = Buffer.concat([Buffer.from("ID3\x04\0\0", "latin1"), Buffer.from([0x7f, 0x7f, 0x7f, 0x7f])]);
  const frame = Buffer.concat([Buffer.from("APIC"), Buffer.from([0x0f, 0x7f, 0x7f, 0x7f]), Buffer.alloc(2)]);
  return new Map([
    ["a picture of 30 MB.m4b", mp4File({ seconds: 2, picture: Buffer.alloc(30 * megabyte, 0xff) })],
    ["a large picture.m4b", mp4File({ seconds: 2, picture: largeCover })],
    ["a header of boxes.m4b", Buffer.concat([start, box("moov", Buffer.alloc(8 * megabyte, box("free")))])],
    ["a header of four gigabytes.m4b", Buffer.concat([start, u32(0xffffffff), Buffer.from("moov"), sound])],
    ["a tag of 256 MB.mp3", Buffer.concat([tag, frame, Buffer.alloc(megabyte)])],
    [
      "comments without number.flac",
      Buffer.concat([Buffer.from("fLaC"), u32(0x84ffffff), Buffer.alloc(17 * megabyte, 1)]),
    ],
    ["pages without end.opus", Buffer.alloc(4 * megabyte, Buffer.from("OggS\0\0\0\0"))],
    ["whole.m4b", sound],
  ]);
}

interface BookFolders {
  readonly books: string;
  readonly recordings: string;
}

/** Writes both, each file in a folder of its own, below `books` and `recordings`. */
export function writeHostileBooks(root: string): Promise<BookFolders> {
  return writeBooks(root, hostileBooks(), hostileRecordings());
}

/** The same with one book and one recording that are as they should be. */
export function writePlainBooks(root: string): Promise<BookFolders> {
  const cover = plainPng(600, 800);
  const book = epub({ opf: packageOf("<dc:title>Plain</dc:title>"), files: { "OEBPS/c.png": cover } });
  const recording = mp4File({ seconds: 2, picture: cover, tags: { "\xa9alb": "Plain" } });
  return writeBooks(root, new Map([["plain.epub", book]]), new Map([["plain.m4b", recording]]));
}

type Files = ReadonlyMap<string, Uint8Array>;

async function writeBooks(root: string, books: Files, recordings: Files): Promise<BookFolders> {
  const folders = { books: join(root, "books"), recordings: join(root, "recordings") };
  for (const [folder, files] of [
    [folders.books, books],
    [folders.recordings, recordings],
  ] as const)
    for (const [name, bytes] of files) {
      const path = join(folder, name.replace(/\.\w+$/, ""), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
  return folders;
}

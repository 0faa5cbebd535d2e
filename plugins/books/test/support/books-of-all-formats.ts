import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { zip } from "@longbox/test/fixtures";
import sharp from "sharp";
import { epub } from "./epub.ts";
import { fictionBook } from "./fiction-book.ts";
import { mobi } from "./mobi.ts";
import { encryptedPdf, pdf } from "./pdf.ts";

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

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes books of every format, with what lies beside them. */
export async function writeBooks(root: string): Promise<void> {
  const files: Files = {
    ...(await kindleAndFictionBooks()),
    ...(await pdfs()),
    ...(await epubs()),
    ...(await protectedEpubs()),
    ...(await booksInFolders()),
    ...(await booksInSeveralFormats()),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

async function kindleAndFictionBooks(): Promise<Files> {
  return {
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
  };
}

async function pdfs(): Promise<Files> {
  return {
    "pdf/plain.pdf": pdf({ information: String.raw`/Title (Plain \(and\) simple) /Author (Ada Quill)`, pages: 12 }),
    "pdf/packed.pdf": pdf({ information: "/Title <FEFF00C9007400E9>", packed: true, pages: 7 }),
    "pdf/described.pdf": pdf({ information: "/Title (Microsoft Word - x.doc)", xmp }),
    "pdf/junk name.pdf": pdf({ information: "/Title (Microsoft Word - draft3.doc)" }),
    "pdf/bought.pdf": pdf({ trailer: "/Encrypt 4 0 R", objects: ["<< /Filter /EBX_HANDLER /V 4 >>"] }),
    "pdf/limited.pdf": encryptedPdf(""),
    "pdf/locked.pdf": encryptedPdf("secret"),
  };
}

async function epubs(): Promise<Files> {
  return {
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
  };
}

async function protectedEpubs(): Promise<Files> {
  return {
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
  };
}

async function booksInFolders(): Promise<Files> {
  return {
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
  };
}

async function booksInSeveralFormats(): Promise<Files> {
  return {
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
}

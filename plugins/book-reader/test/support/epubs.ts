import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { zipSync, strToU8 } from "fflate";

export interface PlannedChapter {
  readonly title: string;
  /** Inside of `body`. */
  readonly body: string;
  /** Inside of `head`, after the title. */
  readonly head?: string;
  /** The whole document instead; its name ends in `svg` when it is a drawing. */
  readonly document?: string;
  readonly file?: string;
  /** Of the item in the spine. */
  readonly properties?: string;
}

export interface PlannedBook {
  readonly title: string;
  readonly author?: string;
  readonly language?: string;
  readonly chapters: readonly PlannedChapter[];
  /** More files by their path in the book, such as `style.css`, and their media types by their ending. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Of the spine. */
  readonly direction?: "rtl";
  /** More of the package's metadata. */
  readonly metadata?: string;
  /** Attributes of the first chapter's manifest item. */
  readonly overlay?: boolean;
}

const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css",
  js: "text/javascript",
  svg: "image/svg+xml",
  png: "image/png",
  html: "text/html",
  smil: "application/smil+xml",
  wav: "audio/wav",
};

/** Writes an EPUB 3. */
export async function writeEpub(path: string, book: PlannedBook): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, epub(book));
}

export function epub(book: PlannedBook): Uint8Array {
  const chapters = book.chapters.map((chapter, index) => ({
    ...chapter,
    file: chapter.file ?? `chapter-${index + 1}.xhtml`,
  }));
  const entries: Record<string, Uint8Array> = {
    "META-INF/container.xml": strToU8(container),
    "OEBPS/package.opf": strToU8(packageOf(book, chapters)),
    "OEBPS/nav.xhtml": strToU8(navigationOf(chapters)),
  };
  for (const chapter of chapters) entries[`OEBPS/${chapter.file}`] = strToU8(chapter.document ?? pageOf(chapter));
  for (const [name, content] of Object.entries(book.files ?? {}))
    entries[`OEBPS/${name}`] = typeof content === "string" ? strToU8(content) : content;
  return zipSync({ mimetype: [strToU8("application/epub+zip"), { level: 0 }], ...entries });
}

type Chapter = PlannedChapter & { readonly file: string };

const container = `<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>`;

function packageOf(
  { title, author = "Ada Quill", language = "en", files = {}, direction, metadata = "", overlay }: PlannedBook,
  chapters: readonly Chapter[],
) {
  const type = (name: string) => mediaTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  const typeOf = ({ file }: Chapter) => (file.endsWith(".xhtml") ? "application/xhtml+xml" : type(file));
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:longbox:${title.replaceAll(/\W+/g, "-")}</dc:identifier>
    <dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dc:language>${language}</dc:language>
    <meta property="dcterms:modified">2026-01-01T00:00:00Z</meta>${metadata}
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    ${chapters.map((chapter, index) => `<item id="c${index}" href="${chapter.file}" media-type="${typeOf(chapter)}"${overlay && index === 0 ? ' media-overlay="smil"' : ""}/>`).join("\n    ")}
    ${Object.keys(files)
      .map(
        (name) =>
          `<item id="${name === "overlay.smil" ? "smil" : `f-${name.replaceAll(/\W/g, "-")}`}" href="${name}" media-type="${type(name)}"/>`,
      )
      .join("\n    ")}
  </manifest>
  <spine${direction ? ` page-progression-direction="${direction}"` : ""}>${chapters.map(({ properties }, index) => `<itemref idref="c${index}"${properties ? ` properties="${properties}"` : ""}/>`).join("")}</spine>
</package>`;
}

function navigationOf(chapters: readonly Chapter[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head>
<body><nav epub:type="toc"><ol>${chapters.map(({ file, title }) => `<li><a href="${file}">${title}</a></li>`).join("")}</ol></nav></body></html>`;
}

function pageOf({ title, body, head = "" }: PlannedChapter): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** Paragraphs with numbered sentences, so that a place is known by its text. */
export function prose(chapter: number, paragraphs: number): string {
  return Array.from({ length: paragraphs }, (_, index) => {
    const at = `${chapter}.${index + 1}`;
    return `<p>Paragraph ${at} begins here. The lamps of the harbour were lit one after another, and the boats came home with the tide. A child read sentence ${at} aloud, and the bell of the old tower answered.</p>`;
  }).join("");
}

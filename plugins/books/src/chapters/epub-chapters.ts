import { resolveReference, packagePath } from "../inspecting/epub/inspect-epub.js";
import {
  largestDocumentBytes,
  localName,
  readDocument,
  readPackageDocument,
  type ManifestItem,
  type PackageDocument,
} from "../inspecting/epub/package-document.js";
import type { LookedAt } from "../inspecting/looked-at.js";
import { ZipFiles } from "../inspecting/zip/zip-files.js";
import { most, type BookChapter } from "./book-chapter.js";

interface Entry {
  readonly title: string;
  readonly href: string;
}

/**
 * The chapters of an EPUB by its table of contents. The place of a chapter is the share of the spine's bytes before its
 * document, as reading programs count, so that chapters that begin within one document count as one.
 * @throws {UnreadableBook}
 */
export function epubChapters(file: Pick<LookedAt, "sizeBytes" | "read">): BookChapter[] {
  const files = new ZipFiles(file);
  const path = packagePath(files);
  const entry = files.find(path);
  if (!entry) return [];
  const document = readPackageDocument(files.read(entry, largestDocumentBytes));
  const starts = startsOf(files, document, path);
  return contentsOf(files, document, path).flatMap(({ title, href }) => {
    const start = starts.get(href);
    return start === undefined ? [] : [{ title, start }];
  });
}

/** Where each document of the spine begins, by its path. */
function startsOf(files: ZipFiles, { spine, items }: PackageDocument, path: string): Map<string, number> {
  const sized = spine.flatMap((id) => {
    const target = resolveReference(items.get(id)?.href ?? "", path);
    const found = target === undefined ? undefined : files.find(target);
    return found ? [found] : [];
  });
  const whole = sized.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const starts = new Map<string, number>();
  let before = 0;
  for (const { name, sizeBytes } of sized) {
    if (!starts.has(name)) starts.set(name, whole === 0 ? 0 : before / whole);
    before += sizeBytes;
  }
  return starts;
}

/** The table of contents, of EPUB 3 or 2, with paths of documents. */
function contentsOf(files: ZipFiles, { items }: PackageDocument, path: string): Entry[] {
  const all = [...items.values()];
  const nav = all.find(({ properties }) => properties.includes("nav"));
  const ncx = all.find(({ mediaType }) => mediaType === "application/x-dtbncx+xml");
  for (const [item, read] of [
    [nav, readNav],
    [ncx, readNcx],
  ] as const) {
    const found = item ? readContents(files, { item, path, read }) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function readContents(
  files: ZipFiles,
  { item, path, read }: { item: ManifestItem; path: string; read: (bytes: Uint8Array) => Entry[] },
): Entry[] {
  const target = resolveReference(item.href, path);
  const entry = target === undefined ? undefined : files.find(target);
  if (!entry || target === undefined) return [];
  return read(files.read(entry, largestDocumentBytes)).flatMap(({ title, href }) => {
    const resolved = resolveReference(href, target);
    const document = resolved === undefined ? undefined : files.find(resolved);
    return document ? [{ title, href: document.name }] : [];
  });
}

/** The links of `<nav epub:type="toc">`; of the first `<nav>` where none says what it is. */
function readNav(bytes: Uint8Array): Entry[] {
  const reading = new LinkReading();
  let navs = 0;
  let isOpen = false;
  readDocument(bytes, {
    open({ name, attributes }) {
      if (localName(name) === "nav") {
        const type = attributes["epub:type"];
        isOpen = type === undefined ? navs === 0 : type.split(/\s+/u).includes("toc");
        navs += 1;
      } else if (isOpen) reading.open(localName(name), attributes);
    },
    text: (text) => reading.text(text),
    close(name) {
      if (localName(name) === "nav") isOpen = false;
      reading.close(localName(name));
    },
  });
  return reading.entries;
}

/** `navPoint`: the text stands before the reference. */
function readNcx(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  let title: string | undefined;
  let isText = false;
  readDocument(bytes, {
    open({ name, attributes }) {
      const local = localName(name);
      if (local === "navPoint") title = "";
      isText = local === "text" && title !== undefined;
      if (local === "content" && title !== undefined && attributes["src"] !== undefined) {
        add(entries, { title, href: attributes["src"] });
        title = undefined;
      }
    },
    text(text) {
      if (isText) title = `${title ?? ""}${text}`;
    },
    close() {
      isText = false;
    },
  });
  return entries;
}

/** Collects links with the text in them. */
class LinkReading {
  readonly entries: Entry[] = [];
  #href: string | undefined;
  #title = "";

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name !== "a") return;
    this.#href = attributes["href"];
    this.#title = "";
  }

  text(text: string): void {
    if (this.#href !== undefined) this.#title += text;
  }

  close(name: string): void {
    if (name !== "a" || this.#href === undefined) return;
    add(this.entries, { title: this.#title, href: this.#href });
    this.#href = undefined;
  }
}

function add(entries: Entry[], entry: Entry): void {
  if (entries.length < most.chapters) entries.push(entry);
}

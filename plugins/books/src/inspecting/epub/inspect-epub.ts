import { posix } from "node:path";
import type { CoverPlace } from "../../details.js";
import type { BookLook } from "../book-metadata.js";
import type { LookedAt } from "../looked-at.js";
import { damaged, UnreadableBook } from "../unreadable.js";
import { isSafe, ZipFiles, type ZipEntry } from "../zip/zip-files.js";
import { localName, largestDocumentBytes, readDocument, readPackageDocument } from "./package-document.js";
import type { PackageDocument } from "./package-document.js";
import { isFixedLayout, packageMetadata } from "./package-metadata.js";
import { protectionOf } from "./protection.js";

const largestCoverBytes = 32 * 1024 * 1024;
const imagePath = /\.(?:jpe?g|png|gif|webp|avif|jxl)$/iu;

/**
 * Reads an EPUB 2 or 3: its package document, its cover's place, and whether it is protected.
 * @throws {UnreadableBook}
 */
export function inspectEpub(file: LookedAt): BookLook {
  const files = new ZipFiles(file);
  const path = packagePath(files);
  const entry = files.find(path);
  if (!entry) throw damaged("it does not say what is in it");
  const document = readPackageDocument(files.read(entry, largestDocumentBytes));
  if (document.spine.length === 0) throw damaged("it does not say in which order it is read");
  const cover = coverOf(files, document, path);
  const protection = protectionOf(files);
  return {
    metadata: packageMetadata(document),
    details: {
      ...(cover && protection === undefined && { cover }),
      ...(protection !== undefined && { protection }),
      ...(document.rightToLeft && { rightToLeft: true }),
      ...(isFixedLayout(document) && { fixedLayout: true }),
    },
  };
}

/** Where the container says that the package document is; without a container, the only one there is. */
export function packagePath(files: ZipFiles): string {
  let path: string | undefined;
  const container = files.find("META-INF/container.xml");
  if (container)
    readDocument(files.read(container, largestDocumentBytes), {
      open({ name, attributes }) {
        if (localName(name) === "rootfile") path ??= attributes["full-path"];
      },
    });
  path ??= [...files.entries()].find(({ name }) => name.toLowerCase().endsWith(".opf"))?.name;
  if (path === undefined) throw damaged("it does not say what is in it");
  return path;
}

/** The image that the book calls its cover, in the ways of EPUB 3, of EPUB 2, and of programs that know neither. */
function coverOf(files: ZipFiles, document: PackageDocument, path: string): CoverPlace | undefined {
  const items = [...document.items.values()];
  const named = document.metadata.find(({ name, attributes }) => name === "meta" && attributes["name"] === "cover");
  const name = named?.attributes["content"];
  const references = [
    items.find(({ properties }) => properties.includes("cover-image"))?.href,
    name === undefined ? undefined : (document.items.get(name)?.href ?? name),
    document.guideCover,
    items.find(({ id, mediaType }) => mediaType.startsWith("image/") && /cover/iu.test(id))?.href,
    items.find(({ href, mediaType }) => mediaType.startsWith("image/") && /cover/iu.test(href))?.href,
  ];
  for (const reference of references) {
    const found = reference === undefined ? undefined : unlessDamaged(() => findImage(files, reference, path));
    if (found) return placeOf(found);
  }
  return undefined;
}

/** A page that cannot be read shows no cover; the book may be whole otherwise. */
function unlessDamaged<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof UnreadableBook) return undefined;
    throw thrown;
  }
}

/** An image, or the first image of a page. */
function findImage(files: ZipFiles, reference: string, from: string): ZipEntry | undefined {
  const target = resolveReference(reference, from);
  const entry = target === undefined ? undefined : files.find(target);
  if (!entry || !target || imagePath.test(target)) return entry;
  if (!/\.(?:x?html?|xml|svg)$/iu.test(target) || entry.sizeBytes > largestDocumentBytes) return undefined;
  let image: string | undefined;
  readDocument(files.read(entry, largestDocumentBytes), {
    open({ name, attributes }) {
      if (localName(name).toLowerCase() === "img") image ??= attributes["src"];
      if (localName(name).toLowerCase() === "image") image ??= attributes["xlink:href"] ?? attributes["href"];
    },
  });
  const shown = image === undefined ? undefined : resolveReference(image, target);
  return shown !== undefined && imagePath.test(shown) ? files.find(shown) : undefined;
}

function placeOf({ offset, packedBytes, sizeBytes, isDeflated, isEncrypted }: ZipEntry): CoverPlace | undefined {
  if (isEncrypted || sizeBytes === 0 || sizeBytes > largestCoverBytes || packedBytes > largestCoverBytes)
    return undefined;
  return { kind: "entry", offset, packedBytes, sizeBytes, isDeflated };
}

/**
 * The path that a document refers to; undefined when it leads out of the book.
 * @param from - the path of the document
 */
export function resolveReference(reference: string, from: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/iu.test(reference) || reference.startsWith("//")) return undefined;
  try {
    const path = decodeURIComponent(reference.replace(/[?#].*$/su, ""));
    const target = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path);
    return isSafe(target) ? target : undefined;
  } catch {
    // A stray percent sign makes it no reference that could be followed.
    return undefined;
  }
}

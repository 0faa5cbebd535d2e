import { closeSync, fstatSync, openSync } from "node:fs";
import { largestPageBytes, type PageEntry } from "../archive.js";
import { parseSync } from "../byte-reading.js";
import { imageType, pageType } from "../page-names.js";
import { findTagsEntry } from "../tag-entries.js";
import { refuseTooMany } from "../unpacking/listing.js";
import type { EpubListing } from "../unpacking/tasks.js";
import { UnreadableArchive } from "../unreadable.js";
import { refuseEntry } from "../zip-archive.js";
import { readZipDirectory, type ZipEntry } from "../zip-directory.js";
import { EpubFiles, resolveReference } from "./epub-files.js";
import { damaged, localName, readPackage, type ManifestItem } from "./package-document.js";

type EpubPage = PageEntry & { readonly entry: ZipEntry };

/**
 * The pages of a comic in an EPUB of fixed layout: for each document of the spine its largest image, since others lie
 * over it. Nothing else of the documents is looked at, so that what they would run or fetch does not matter. For
 * threads.
 * @throws {UnreadableArchive}
 */
export function listEpub(path: string): EpubListing {
  const descriptor = openSync(path, "r");
  try {
    const { entries } = parseSync(readZipDirectory(fstatSync(descriptor).size), descriptor);
    const files = new EpubFiles(descriptor, entries);
    const { spine, rightToLeft } = readPackage(files);
    refuseTooMany(spine.length);
    const pages = spine.flatMap((item) => pageOf(item, files) ?? []);
    refuseProtected(pages, files);
    return { pages, tags: findTagsEntry(entries), rightToLeft };
  } finally {
    closeSync(descriptor);
  }
}

function pageOf({ path, mediaType }: ManifestItem, files: EpubFiles): EpubPage | undefined {
  const entry = path === undefined ? undefined : files.find(path);
  if (path === undefined || entry === undefined) throw damaged("a page that it names is not in it");
  const direct = imagePage(entry, mediaType);
  if (direct) return direct;
  return imagesIn(entry, path, files).toSorted((one, other) => other.sizeBytes - one.sizeBytes)[0];
}

/** The images of a document that are in the EPUB, each once. */
function imagesIn(document: ZipEntry, path: string, files: EpubFiles): EpubPage[] {
  const found = new Map<string, EpubPage>();
  files.read(document, {
    open({ name, attributes }) {
      const reference = imageReference(localName(name).toLowerCase(), attributes);
      const target = reference === undefined ? undefined : resolveReference(reference, path);
      const entry = target === undefined ? undefined : files.find(target);
      const page = entry && imagePage(entry);
      if (page) found.set(page.name, page);
    },
  });
  return [...found.values()];
}

function imageReference(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
  if (name === "img") return attributes["src"];
  return name === "image" ? (attributes["xlink:href"] ?? attributes["href"]) : undefined;
}

function imagePage(entry: ZipEntry, mediaType?: string): EpubPage | undefined {
  const contentType = (mediaType === undefined ? undefined : imageType(mediaType)) ?? pageType(entry.name);
  if (contentType === undefined || entry.sizeBytes === 0) return undefined;
  return { name: entry.name.replaceAll("\\", "/"), contentType, sizeBytes: entry.sizeBytes, entry };
}

/** Fonts may be obscured; pages that are encrypted cannot be read without the seller's program. */
function refuseProtected(pages: readonly EpubPage[], files: EpubFiles): void {
  const encrypted = encryptedPaths(files);
  for (const { name, entry } of pages) {
    refuseEntry(entry, largestPageBytes);
    if (encrypted.has(name))
      throw new UnreadableArchive("encrypted", "The EPUB is protected: its pages are encrypted.");
  }
}

function encryptedPaths(files: EpubFiles): ReadonlySet<string> {
  const paths = new Set<string>();
  const entry = files.find("META-INF/encryption.xml");
  if (entry === undefined) return paths;
  files.read(entry, {
    open({ name, attributes }) {
      if (localName(name) !== "CipherReference") return;
      const target = resolveReference(attributes["URI"] ?? "", "");
      const found = target === undefined ? undefined : files.find(target);
      if (found) paths.add(found.name.replaceAll("\\", "/"));
    },
  });
  return paths;
}

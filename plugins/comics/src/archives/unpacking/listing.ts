import { closeSync, fstatSync, openSync } from "node:fs";
import { parseSync } from "../byte-reading.js";
import { pagesOf } from "../page-names.js";
import { findTagsEntry } from "../tag-entries.js";
import { readTarDirectory, type TarEntry } from "../tar-directory.js";
import { UnreadableArchive } from "../unreadable.js";
import { readZipDirectory, type ZipEntry } from "../zip-directory.js";
import type { Listing } from "./tasks.js";

/** No comic has more pages. */
const mostPages = 20_000;

/** @throws {UnreadableArchive} `too-large` */
export function listingOf<Entry extends { readonly name: string; readonly sizeBytes: number }>(
  entries: readonly Entry[],
): Listing<Entry> {
  const pages = pagesOf(entries);
  refuseTooMany(pages.length);
  return { pages, tags: findTagsEntry(entries) };
}

/** For threads. @throws {UnreadableArchive} */
export function listZip(path: string): Listing<ZipEntry> {
  return withFile(path, (descriptor, size) => listingOf(parseSync(readZipDirectory(size), descriptor).entries));
}

/** For threads. @throws {UnreadableArchive} */
export function listTar(path: string): Listing<TarEntry> {
  return withFile(path, (descriptor, size) => listingOf(parseSync(readTarDirectory(size), descriptor)));
}

function withFile<T>(path: string, read: (descriptor: number, sizeBytes: number) => T): T {
  const descriptor = openSync(path, "r");
  try {
    return read(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

/** @throws {UnreadableArchive} `too-large` */
export function refuseTooMany(pages: number): void {
  if (pages > mostPages) throw new UnreadableArchive("too-large", "The archive has more pages than a comic can have.");
}

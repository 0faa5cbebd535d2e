import { inflateRawSync } from "node:zlib";
import { inflateOptions } from "@longbox/sdk/light";
import type { InspectedFile } from "@longbox/files/contract";
import { largestTagsBytes } from "../archives/archive.js";
import type { ByteParser } from "../archives/byte-reading.js";
import { pageType } from "../archives/page-names.js";
import { refuseTooMany } from "../archives/unpacking/listing.js";
import { smallZip } from "../archives/small-zip.js";
import { findTagsEntry } from "../archives/tag-entries.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { checkUnpacked, dataStart, refuseEntry, type OddMethodReader } from "../archives/zip-archive.js";
import { readZipDirectory, type ZipDirectory, type ZipEntry } from "../archives/zip-directory.js";
import type { ReaderSet } from "../readers/reader-set.js";
import type { Look } from "./look.js";

const stored = 0;
const deflated = 8;

/**
 * Looks into a ZIP: its directory, and the tags in it. At once, unless its tags are packed by an odd method.
 * @throws {UnreadableArchive} @throws {NoReader}
 */
export function inspectZip(file: InspectedFile, unzip: OddMethodReader, readers: ReaderSet): Look | Promise<Look> {
  const directory = parseFile(file, readZipDirectory(file.sizeBytes));
  const pages = directory.entries.filter((entry) => entry.sizeBytes > 0 && pageType(entry.name) !== undefined);
  refuseTooMany(pages.length);
  refuseUnread(pages, readers);
  const look = { pages: pages.length, error: pageProblem(pages) };
  const tags = tagsIn(file, directory, unzip);
  return tags instanceof Promise ? tags.then((later) => ({ ...look, ...later })) : { ...look, ...tags };
}

type ZipTags = Pick<Look, "identity" | "comicInfo" | "metronInfo">;

/** What identifies a ZIP, and the tags in it. */
export function tagsIn(
  file: InspectedFile,
  { entries, bytes }: ZipDirectory,
  unzip: OddMethodReader,
): ZipTags | Promise<ZipTags> {
  const comicInfo = readTags(file, findTagsEntry(entries), unzip);
  const metronInfo = readTags(file, findTagsEntry(entries, "metroninfo.xml"), unzip);
  if (comicInfo instanceof Promise || metronInfo instanceof Promise)
    return Promise.all([comicInfo, metronInfo]).then(([first, second]) => ({
      identity: bytes,
      comicInfo: first,
      metronInfo: second,
    }));
  return { identity: bytes, comicInfo, metronInfo };
}

/** Runs a parser on the file. @throws {UnreadableArchive} */
export function parseFile<T>(file: InspectedFile, parser: ByteParser<T>): T {
  let step = parser.next();
  while (!step.done) {
    const bytes = file.read(step.value.offset, step.value.length);
    if (bytes.length < step.value.length)
      throw new UnreadableArchive("truncated", "The file ends before its contents do.");
    step = parser.next(bytes);
  }
  return step.value;
}

/** @throws {NoReader} where pages are packed by a method that a reader knows which is not there */
function refuseUnread(pages: readonly ZipEntry[], readers: ReaderSet): void {
  for (const { method } of pages)
    if (method !== stored && method !== deflated && readers.missing.some((kind) => kind.zipMethods?.includes(method)))
      readers.getForZip(method);
}

function pageProblem(pages: readonly ZipEntry[]): string | undefined {
  if (pages.length === 0) return "The archive holds no pages.";
  return pages.some((page) => page.encrypted) ? "The archive is protected by a password." : undefined;
}

/** The bytes of the tags, or undefined when they cannot be unpacked: the pages may be good all the same. */
function readTags(
  file: InspectedFile,
  entry: ZipEntry | undefined,
  unzip: OddMethodReader,
): Buffer | undefined | Promise<Buffer | undefined> {
  if (entry === undefined) return undefined;
  try {
    refuseEntry(entry, largestTagsBytes);
    const data = packedBytes(file, entry);
    if (entry.method === stored) return checked(entry, data);
    if (entry.method === deflated) return checked(entry, inflateRawSync(data, inflateOptions(entry.sizeBytes)));
    return unzip(smallZip(entry, data), entry).then(
      (bytes) => unlessBroken(entry, Buffer.from(bytes)),
      () => undefined,
    );
  } catch {
    return undefined;
  }
}

function packedBytes(file: InspectedFile, entry: ZipEntry): Buffer {
  const packed = file.read(entry.headerOffset, 30 + Buffer.byteLength(entry.name) + 128 + entry.compressedBytes);
  const start = dataStart(packed);
  return packed.subarray(start, start + entry.compressedBytes);
}

/** @throws {UnreadableArchive} */
function checked(entry: ZipEntry, bytes: Buffer): Buffer {
  checkUnpacked(entry, bytes);
  return bytes;
}

function unlessBroken(entry: ZipEntry, bytes: Buffer): Buffer | undefined {
  try {
    return checked(entry, bytes);
  } catch {
    return undefined;
  }
}

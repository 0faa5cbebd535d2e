import { inflateRawSync } from "node:zlib";
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

/** Looks into a ZIP: its directory, and the tags in it. @throws {UnreadableArchive} @throws {NoReader} */
export async function inspectZip(file: InspectedFile, unzip: OddMethodReader, readers: ReaderSet): Promise<Look> {
  const directory = parseFile(file, readZipDirectory(file.sizeBytes));
  const pages = directory.entries.filter((entry) => entry.sizeBytes > 0 && pageType(entry.name) !== undefined);
  refuseTooMany(pages.length);
  refuseUnread(pages, readers);
  return { pages: pages.length, error: pageProblem(pages), ...(await tagsIn(file, directory, unzip)) };
}

/** What identifies a ZIP, and the tags in it. */
export async function tagsIn(
  file: InspectedFile,
  { entries, bytes }: ZipDirectory,
  unzip: OddMethodReader,
): Promise<Pick<Look, "identity" | "comicInfo" | "metronInfo">> {
  const comicInfo = findTagsEntry(entries);
  const metronInfo = findTagsEntry(entries, "metroninfo.xml");
  return {
    identity: bytes,
    comicInfo: comicInfo && (await readSmallEntry(file, comicInfo, unzip)),
    metronInfo: metronInfo && (await readSmallEntry(file, metronInfo, unzip)),
  };
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
  for (const method of new Set(pages.map((page) => page.method)))
    if (readers.missing.some(({ zipMethods }) => zipMethods?.includes(method))) readers.getForZip(method);
}

function pageProblem(pages: readonly ZipEntry[]): string | undefined {
  if (pages.length === 0) return "The archive holds no pages.";
  return pages.some((page) => page.encrypted) ? "The archive is protected by a password." : undefined;
}

/** The bytes of the tags, or undefined when they cannot be unpacked: the pages may be good all the same. */
async function readSmallEntry(
  file: InspectedFile,
  entry: ZipEntry,
  unzip: OddMethodReader,
): Promise<Buffer | undefined> {
  try {
    refuseEntry(entry, largestTagsBytes);
    const length = 30 + Buffer.byteLength(entry.name) + 128 + entry.compressedBytes;
    const packed = file.read(entry.headerOffset, length);
    const start = dataStart(packed);
    const data = packed.subarray(start, start + entry.compressedBytes);
    const bytes =
      entry.method === 0
        ? data
        : entry.method === 8
          ? inflateRawSync(data, { maxOutputLength: Math.max(1, entry.sizeBytes) })
          : Buffer.from(await unzip(smallZip(entry, data), entry));
    checkUnpacked(entry, bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

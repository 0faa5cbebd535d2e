import { statSync } from "node:fs";
import { basename } from "node:path";
import { hash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { largestTagsBytes, type ArchiveKind } from "../archives/archive.js";
import { archiveKind, kindHeadBytes, promisesComic } from "../archives/kinds.js";
import { pageType } from "../archives/page-names.js";
import { smallZip } from "../archives/small-zip.js";
import { findTagsEntry } from "../archives/tag-entries.js";
import { reasonOf, UnreadableArchive } from "../archives/unreadable.js";
import { checkUnpacked, dataStart, refuseEntry, type OddMethodReader } from "../archives/zip-archive.js";
import type { FileWindow } from "./file-window.js";
import { readZipDirectory, type ZipEntry } from "../archives/zip-directory.js";

/** What looking into a file shows. */
export interface Look {
  readonly kind: ArchiveKind | "unknown";
  readonly pages: number;
  /** Why its pages cannot be read. */
  readonly error: string | undefined;
  /** ComicInfo.xml from inside. */
  readonly tags: Buffer | undefined;
  /** MetronInfo.xml from inside. */
  readonly metron?: Buffer | undefined;
  readonly fingerprint: string;
}

/** Reads the formats that need more than Node: everything but ZIP, and ZIPs that are packed by an odd method. */
export interface OtherFormats {
  look(path: string, kind: Exclude<ArchiveKind, "zip">): Promise<{ pages: number; tags: Buffer | undefined }>;
  readonly unzip: OddMethodReader;
}

/** Bytes at each end of a file that, with its size, identify a file that has no directory of checksums. */
const sampleBytes = 65_536;

/** Looks into one file: what it is, how many pages it has, its tags. Never throws for a bad file. For worker threads. */
export async function lookInto(path: string, sizeBytes: number, others: OtherFormats, window: FileWindow): Promise<Look> {
  if (isFolder(path)) return lookIntoOther(path, "folder", `${sizeBytes.toString(36)}-${path}`, others);
  try {
    window.open(path);
  } catch (thrown) {
    return failed("unknown", thrown, "");
  }
  try {
    const kind = archiveKind(window.head(kindHeadBytes));
    if (kind === "zip") return await lookIntoZip(window, sizeBytes, others);
    const fingerprint = sampleFingerprint(window, sizeBytes);
    if (kind === undefined) return failed("unknown", notAnArchive(sizeBytes), fingerprint);
    return await lookIntoOther(path, kind, fingerprint, others);
  } finally {
    window.close();
  }
}

function isFolder(path: string): boolean {
  return !promisesComic(basename(path)) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

async function lookIntoZip(window: FileWindow, sizeBytes: number, others: OtherFormats): Promise<Look> {
  let fingerprint = "";
  try {
    const directory = window.parse(readZipDirectory(sizeBytes));
    fingerprint = fingerprintOf(sizeBytes, directory.bytes);
    const pages = directory.entries.filter((entry) => entry.sizeBytes > 0 && pageType(entry.name) !== undefined);
    const entry = findTagsEntry(directory.entries);
    const tags = entry && (await readSmallEntry(window, entry, others));
    const second = findTagsEntry(directory.entries, "metroninfo.xml");
    const metron = second && (await readSmallEntry(window, second, others));
    return { kind: "zip", pages: pages.length, error: pageProblem(pages), tags, metron, fingerprint };
  } catch (thrown) {
    return failed("zip", thrown, fingerprint || sampleFingerprint(window, sizeBytes));
  }
}

function pageProblem(pages: readonly ZipEntry[]): string | undefined {
  if (pages.length === 0) return "The archive holds no pages.";
  return pages.some((page) => page.encrypted) ? "The archive is protected by a password." : undefined;
}

/** The bytes of the tags, or undefined when they cannot be unpacked: the pages may be good all the same. */
async function readSmallEntry(window: FileWindow, entry: ZipEntry, { unzip }: OtherFormats): Promise<Buffer | undefined> {
  try {
    refuseEntry(entry, largestTagsBytes);
    const packed = window.readUpTo(entry.headerOffset, 30 + Buffer.byteLength(entry.name) + 128 + entry.compressedBytes);
    const start = dataStart(packed);
    const data = packed.subarray(start, start + entry.compressedBytes);
    const bytes = entry.method === 0 ? data : entry.method === 8 ? inflateRawSync(data, { maxOutputLength: Math.max(1, entry.sizeBytes) }) : Buffer.from(await unzip(smallZip(entry, data), entry.sizeBytes));
    checkUnpacked(entry, bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

async function lookIntoOther(path: string, kind: Exclude<ArchiveKind, "zip">, fingerprint: string, others: OtherFormats): Promise<Look> {
  try {
    const { pages, tags } = await others.look(path, kind);
    return { kind, pages, error: pages === 0 ? "The archive holds no pages." : undefined, tags, fingerprint };
  } catch (thrown) {
    return failed(kind, thrown, fingerprint);
  }
}

function failed(kind: Look["kind"], thrown: unknown, fingerprint: string): Look {
  return { kind, pages: 0, error: reasonOf(thrown), tags: undefined, fingerprint };
}

function notAnArchive(sizeBytes: number): UnreadableArchive {
  return sizeBytes === 0 ? new UnreadableArchive("empty", "The file is empty.") : new UnreadableArchive("not-an-archive", "The file is no archive that can be read here.");
}

function sampleFingerprint(window: FileWindow, sizeBytes: number): string {
  const head = window.readUpTo(0, Math.min(sizeBytes, sampleBytes));
  const tail = window.readUpTo(Math.max(0, sizeBytes - sampleBytes), Math.min(sizeBytes, sampleBytes));
  return fingerprintOf(sizeBytes, Buffer.concat([head, tail]));
}

function fingerprintOf(sizeBytes: number, bytes: Buffer): string {
  return `${sizeBytes.toString(36)}-${hash("sha256", bytes, "base64url").slice(0, 27)}`;
}

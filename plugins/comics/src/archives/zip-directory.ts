import type { ByteParser } from "./byte-reading.js";
import { decodeEntryName } from "./entry-names.js";
import { isProgram } from "./kinds.js";
import { UnreadableArchive } from "./unreadable.js";

/** One entry as the central directory describes it. Sizes and offsets are bytes. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly encrypted: boolean;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Where the local header begins in the file. */
  readonly headerOffset: number;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** The directory as it stands in the file: it holds every entry's checksum, so it identifies the contents. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly offset: number;
  /** Where the archive ends in the file: bytes may follow. */
  readonly end: number;
  /** The archive's comment, which some programs use for tags. */
  readonly comment: string;
}

interface DirectoryPlace {
  readonly offset: number;
  readonly length: number;
  readonly entries: number;
  /** Bytes that stand before the archive, as in a self-extracting one. */
  readonly prefix: number;
}

const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
/** Most archives have no comment, so that the end and a small directory are found in one read. */
const firstTailBytes = 4096;
const longestTailBytes = endBytes + 0xffff + 76;
/** Downloads are filled up with zeros to whole blocks, or carry what was sent behind them. */
const longestPaddingBytes = 1024 * 1024;
const most = { directoryBytes: 32 * 1024 * 1024, entries: 200_000 };

/**
 * Reads the central directory of a ZIP, strictly: where the directory contradicts itself or the file, the archive is
 * refused, because its pages could not be trusted either.
 * @throws {UnreadableArchive}
 */
export function* readZipDirectory(fileBytes: number): ByteParser<ZipDirectory> {
  if (fileBytes < endBytes) throw new UnreadableArchive("truncated", "The file is too short to be an archive.");
  let tailBytes = Math.min(fileBytes, firstTailBytes);
  let tail = yield { offset: fileBytes - tailBytes, length: tailBytes };
  let end = findEnd(tail);
  if (end === undefined) {
    tailBytes = Math.min(fileBytes, longestTailBytes);
    tail = yield { offset: fileBytes - tailBytes, length: tailBytes };
    end = findEnd(tail) ?? findEndBefore(tail, fileBytes - tailBytes);
  }
  if (end === undefined && tailBytes < fileBytes) {
    tailBytes = Math.min(fileBytes, longestPaddingBytes);
    tail = yield { offset: fileBytes - tailBytes, length: tailBytes };
    end = findEndBefore(tail, fileBytes - tailBytes);
  }
  if (end === undefined) throw withoutDirectory(yield { offset: 0, length: Math.min(4, fileBytes) });
  const tailOffset = fileBytes - tailBytes;
  const place = yield* locateDirectory(tail, end, tailOffset);
  const bytes =
    place.offset >= tailOffset
      ? tail.subarray(place.offset - tailOffset, place.offset - tailOffset + place.length)
      : yield place;
  const entries = parseEntries(bytes, place);
  refuseOverlaps(entries, place.offset);
  const commentEnd = Math.min(tailBytes, end + endBytes + tail.readUInt16LE(end + 20));
  return {
    entries,
    bytes,
    offset: place.offset,
    end: tailOffset + commentEnd,
    comment: tail.toString("latin1", end + endBytes, commentEnd),
  };
}

/** The end record is the last one whose comment ends where the file ends. */
function withoutDirectory(head: Buffer): UnreadableArchive {
  return isProgram(head.toString("latin1"))
    ? new UnreadableArchive("unsupported", "It is a program, with no archive in it.")
    : new UnreadableArchive("truncated", "The archive has no directory: it is cut off, or was never finished.");
}

function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) === endSignature && at + endBytes + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return undefined;
}

/**
 * Where there are bytes behind an archive, as of a padded download: the last record whose directory lies right before
 * it.
 */
function findEndBefore(tail: Buffer, tailOffset: number): number | undefined {
  for (let at = tail.length - endBytes; at >= 0; at--)
    if (tail.readUInt32LE(at) === endSignature && isPlausible(tail, at, tailOffset)) return at;
  return undefined;
}

function isPlausible(tail: Buffer, at: number, tailOffset: number): boolean {
  const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const isLarge = length === 0xffffffff || offset === 0xffffffff;
  if (isLarge || length === 0) return isLarge;
  const begins = at - length;
  return offset <= tailOffset + begins && (begins < 0 || tail.readUInt32LE(begins) === entrySignature);
}

function* locateDirectory(tail: Buffer, end: number, tailOffset: number): ByteParser<DirectoryPlace> {
  const stated = {
    entries: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    offset: tail.readUInt32LE(end + 16),
  };
  const isLarge = stated.entries === 0xffff || stated.length === 0xffffffff || stated.offset === 0xffffffff;
  if (isLarge && end >= 20 && tail.readUInt32LE(end - 20) === locator64Signature)
    return yield* locateDirectory64(tail, end, tailOffset);
  if (tail.readUInt16LE(end + 4) !== 0 || tail.readUInt16LE(end + 6) !== 0) throw spansDisks();
  return checkedPlace(stated, tailOffset + end);
}

function* locateDirectory64(tail: Buffer, end: number, tailOffset: number): ByteParser<DirectoryPlace> {
  const recordOffset = wholeNumber(tail.readBigUInt64LE(end - 12));
  const locatorOffset = tailOffset + end - 20;
  if (recordOffset + 56 > locatorOffset) throw damaged("its end record points outside of it");
  const record = yield { offset: recordOffset, length: 56 };
  if (record.readUInt32LE(0) !== end64Signature) throw damaged("its large end record is missing");
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0) throw spansDisks();
  const stated = {
    entries: wholeNumber(record.readBigUInt64LE(32)),
    length: wholeNumber(record.readBigUInt64LE(40)),
    offset: wholeNumber(record.readBigUInt64LE(48)),
  };
  return checkedPlace(stated, recordOffset);
}

function checkedPlace(
  stated: { entries: number; length: number; offset: number },
  directoryEnd: number,
): DirectoryPlace {
  const offset = directoryEnd - stated.length;
  const prefix = offset - stated.offset;
  if (offset < 0 || prefix < 0) throw damaged("its directory does not fit into it");
  if (stated.length > most.directoryBytes || stated.entries > most.entries)
    throw new UnreadableArchive("too-large", "The archive's directory is too large to be that of a comic.");
  return { offset, length: stated.length, entries: stated.entries, prefix };
}

function parseEntries(bytes: Buffer, place: DirectoryPlace): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw damaged("its directory is broken");
    const next = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damaged("its directory is cut off");
    entries.push(parseEntry(bytes, at, place.prefix));
    at = next;
  }
  // Writers without ZIP64 count modulo 65,536.
  if ((entries.length & 0xffff) !== (place.entries & 0xffff))
    throw damaged("its directory names another number of entries than it holds");
  return entries;
}

function parseEntry(bytes: Buffer, at: number, prefix: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
  const small = {
    sizeBytes: bytes.readUInt32LE(at + 24),
    compressedBytes: bytes.readUInt32LE(at + 20),
    headerOffset: bytes.readUInt32LE(at + 42),
  };
  const isLarge = Math.max(small.sizeBytes, small.compressedBytes, small.headerOffset) === absent;
  const sizes = isLarge ? largeSizes(bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30)), small) : small;
  return {
    name: entryName(bytes, { start: at + 46, end: nameEnd }, (flags & 0x800) !== 0),
    method: bytes.readUInt16LE(at + 10),
    flags,
    encrypted: (flags & 0x1) !== 0,
    crc32: bytes.readUInt32LE(at + 16),
    compressedBytes: sizes.compressedBytes,
    sizeBytes: sizes.sizeBytes,
    headerOffset: sizes.headerOffset + prefix,
  };
}

// oxlint-disable-next-line no-control-regex
const plainName = /^[\u0000-\u007f]*$/;

/** Most names are plain: those are read without a buffer of their own. */
function entryName(bytes: Buffer, { start, end }: { start: number; end: number }, saidToBeUtf8: boolean): string {
  const name = bytes.toString("latin1", start, end);
  return plainName.test(name) ? name : decodeEntryName(bytes.subarray(start, end), saidToBeUtf8);
}

type Sizes = Record<"sizeBytes" | "compressedBytes" | "headerOffset", number>;

/** Stands where a number does not fit into 32 bits. */
const absent = 0xffffffff;
const largeNames = ["sizeBytes", "compressedBytes", "headerOffset"] as const;

/** ZIP64 keeps each number that did not fit into 32 bits in an extra field, in this order. */
function largeSizes(extra: Buffer, sizes: Sizes): Sizes {
  const missing = largeNames.filter((name) => sizes[name] === absent);
  const field = extraField(extra, 0x0001);
  if (field === undefined || field.length < missing.length * 8) throw damaged("an entry's size is missing");
  const large = { ...sizes };
  missing.forEach((name, index) => (large[name] = wholeNumber(field.readBigUInt64LE(index * 8))));
  return large;
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return undefined;
}

/** Entries that share bytes are how small files unpack to petabytes; no packer makes them. */
function refuseOverlaps(entries: readonly ZipEntry[], directoryOffset: number): void {
  let inOrder = true;
  for (let index = 1; index < entries.length && inOrder; index++)
    inOrder = entries[index]!.headerOffset >= entries[index - 1]!.headerOffset;
  const sorted = inOrder ? entries : entries.toSorted((one, other) => one.headerOffset - other.headerOffset);
  let free = 0;
  for (const entry of sorted) {
    if (entry.headerOffset < free)
      throw new UnreadableArchive("overlapping-entries", "The archive is refused: its entries overlap.");
    free = entry.headerOffset + 30 + entry.compressedBytes;
  }
  if (free > directoryOffset) throw damaged("an entry reaches beyond its end");
}

function wholeNumber(large: bigint): number {
  if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged("a number in it is impossible");
  return Number(large);
}

function damaged(what: string): UnreadableArchive {
  return new UnreadableArchive("damaged", `The archive is damaged: ${what}.`);
}

function spansDisks(): UnreadableArchive {
  return new UnreadableArchive("unsupported", "The archive is one part of several.");
}

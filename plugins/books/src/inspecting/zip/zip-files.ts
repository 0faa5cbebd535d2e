import { inflateRawSync } from "node:zlib";
import { inflateOptions } from "@longbox/sdk/light";
import type { InspectedFile } from "@longbox/files/contract";
import { damaged, UnreadableBook } from "../unreadable.js";

/** An entry as the central directory describes it. Sizes and offsets are bytes. */
export interface ZipEntry {
  readonly name: string;
  readonly isDeflated: boolean;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  /** Where the local header begins. */
  readonly offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const localBytes = 30;
/** Most books have no comment, and a small directory: both are found in one read. */
const firstTailBytes = 16 * 1024;
const longestTailBytes = endBytes + 0xffff;
const most = { directoryBytes: 16 * 1024 * 1024, entries: 65_535 };
const [stored, deflated] = [0, 8];

/**
 * The files in a ZIP, by the paths that documents in it use. Only the directory is believed, and every size is checked
 * before something is unpacked. For the scanning thread.
 */
export class ZipFiles {
  readonly #exact = new Map<string, ZipEntry>();
  readonly #folded = new Map<string, ZipEntry>();

  /** @throws {UnreadableBook} */
  constructor(private readonly file: Pick<InspectedFile, "read" | "sizeBytes">) {
    for (const entry of readDirectory(file)) {
      if (!isSafe(entry.name) || entry.name.endsWith("/")) continue;
      // Of two entries of one name programs take either; the first one is what stands in the directory first.
      if (!this.#exact.has(entry.name)) this.#exact.set(entry.name, entry);
      const folded = fold(entry.name);
      if (!this.#folded.has(folded)) this.#folded.set(folded, entry);
    }
  }

  entries(): IterableIterator<ZipEntry> {
    return this.#exact.values();
  }

  /** By its path; some packers differ from their documents in case, or in how letters with accents are composed. */
  find(path: string): ZipEntry | undefined {
    return this.#exact.get(path) ?? this.#folded.get(fold(path));
  }

  /** @throws {UnreadableBook} when it cannot be unpacked, or is larger than `mostBytes` */
  read(entry: ZipEntry, mostBytes: number): Buffer {
    if (entry.isEncrypted) throw new UnreadableBook("The book is protected by a password.");
    if (entry.sizeBytes > mostBytes || entry.packedBytes > mostBytes) throw damaged("a document in it is too large");
    const header = this.file.read(entry.offset, localBytes);
    if (header.length < localBytes || header.readUInt32LE(0) !== localSignature)
      throw damaged("a document is not where its directory says");
    const offset = entry.offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = this.file.read(offset, entry.packedBytes);
    if (packed.length < entry.packedBytes) throw damaged("it is cut off");
    return entry.isDeflated ? inflated(packed, entry.sizeBytes) : packed;
  }
}

function inflated(packed: Buffer, sizeBytes: number): Buffer {
  try {
    return inflateRawSync(packed, inflateOptions(sizeBytes));
  } catch (thrown) {
    throw damaged("a document cannot be unpacked", { cause: thrown });
  }
}

function readDirectory(file: Pick<InspectedFile, "read" | "sizeBytes">): ZipEntry[] {
  const { tail, end } = findEnd(file);
  const tailOffset = file.sizeBytes - tail.length;
  const [count, length, stated] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (stated === 0xffffffff || count === 0xffff)
    throw new UnreadableBook("The book is larger than any that is read here.");
  if (length > most.directoryBytes || count > most.entries) throw damaged("its directory is too large");
  const offset = tailOffset + end - length;
  const prefix = offset - stated;
  if (offset < 0 || prefix < 0) throw damaged("its directory does not fit into it");
  const bytes = offset >= tailOffset ? tail.subarray(offset - tailOffset, end) : file.read(offset, length);
  return parseEntries(bytes, prefix);
}

/** The end record is the last one whose comment ends where the file ends. */
function findEnd(file: Pick<InspectedFile, "read" | "sizeBytes">): { tail: Buffer; end: number } {
  for (const longest of [firstTailBytes, longestTailBytes]) {
    const length = Math.min(file.sizeBytes, longest);
    const tail = file.read(file.sizeBytes - length, length);
    for (let end = tail.length - endBytes; end >= 0; end--)
      if (tail.readUInt32LE(end) === endSignature && end + endBytes + tail.readUInt16LE(end + 20) === tail.length)
        return { tail, end };
    if (length === file.sizeBytes) break;
  }
  throw damaged("it is cut off, or was never finished");
}

function parseEntries(bytes: Buffer, prefix: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw damaged("its directory is broken");
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const next = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damaged("its directory is cut off");
    const method = bytes.readUInt16LE(at + 10);
    if (method === stored || method === deflated)
      entries.push({
        name: bytes.toString("utf8", at + 46, nameEnd).replaceAll("\\", "/"),
        isDeflated: method === deflated,
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
        packedBytes: bytes.readUInt32LE(at + 20),
        sizeBytes: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42) + prefix,
      });
    at = next;
  }
  return entries;
}

/** A path inside the book: neither absolute nor climbing, and without control characters. */
export function isSafe(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (name === "" || name.startsWith("/") || /^[A-Za-z]:/u.test(name) || /[\u0000-\u001f]/u.test(name)) return false;
  return !name.split("/").includes("..");
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { parseSync, readFullySync } from "../archives/byte-reading.js";
import { kindHeadBytes, ownKind } from "../archives/kinds.js";
import { findTagsEntry } from "../archives/tag-entries.js";
import type { TagFile } from "../archives/unpacking/tasks.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { readZipDirectory, type ZipDirectory, type ZipEntry } from "../archives/zip-directory.js";

const copiedBytes = 1 << 20;
const largestOffset = 0xfffffffe;
const lowerCase = { "ComicInfo.xml": "comicinfo.xml", "MetronInfo.xml": "metroninfo.xml" } as const;

/** A new entry with its place in the copy. */
interface WrittenTags {
  readonly xml: Buffer;
  readonly local: Buffer;
  readonly record: Buffer;
}

/** A part of the old archive that goes into the new one as it is: headers, data and all. */
interface KeptPart {
  readonly entry: ZipEntry;
  /** Its record in the directory. */
  readonly record: Buffer;
  readonly offset: number;
  readonly length: number;
}

/**
 * Writes a copy of a ZIP with other tags. Every other entry is copied byte for byte, and the copy is read back and
 * compared with the original before anything uses it. For threads.
 * @param to - a descriptor of an empty file
 * @throws {UnreadableArchive} when the archive cannot be copied safely
 */
export function writeWithTags(from: string, to: number, tags: readonly TagFile[]): void {
  const source = openSync(from, "r");
  try {
    const { size } = fstatSync(source);
    const head = readFullySync(source, { offset: 0, length: Math.min(size, kindHeadBytes) });
    if (ownKind(head) === "epub") throw new UnreadableArchive("unsupported", "Tags are not written into EPUBs.");
    const added = tags.reduce((sum, { xml }) => sum + xml.length, 65_536);
    if (size > largestOffset - added)
      throw new UnreadableArchive("unsupported", "The archive is too large for tags to be written into it.");
    const directory = parseSync(readZipDirectory(size), source);
    // Bytes before or behind the archive, as in a self-extracting one, would be lost.
    if (directory.end !== size || head.toString("latin1", 0, 2) !== "PK")
      throw new UnreadableArchive("unsupported", "Tags are not written into files that hold more than the archive.");
    const parts = keptParts(directory, tags);
    const offsets: number[] = [];
    let at = 0;
    for (const part of parts) {
      offsets.push(at);
      copyRange({ file: source, part }, { file: to, offset: at });
      at += part.length;
    }
    const written = tagEntries(tags, at);
    const locals = Buffer.concat(written.map(({ local }) => local));
    const kept = parts.map((part, index) => withOffset(part.record, offsets[index]!));
    const records = [...kept, ...written.map(({ record }) => record)];
    writeAll(to, Buffer.concat([locals, ...records, endRecord(records, at + locals.length, directory.comment)]), at);
    fsyncSync(to);
    compare(source, parts, { copy: to, offsets, written });
  } finally {
    closeSync(source);
  }
}

/** Each entry reaches from its local header to that of the next one, so that descriptors and odd fields come along. */
function keptParts(directory: ZipDirectory, tags: readonly TagFile[]): KeptPart[] {
  const records = splitRecords(directory);
  const replaced = new Set(tags.map(({ name }) => findTagsEntry(directory.entries, lowerCase[name])));
  const inOrder = directory.entries
    .map((entry, index) => ({ entry, record: records[index]! }))
    .sort((one, other) => one.entry.headerOffset - other.entry.headerOffset);
  return inOrder.flatMap(({ entry, record }, index): KeptPart[] => {
    if (replaced.has(entry)) return [];
    const end = inOrder[index + 1]?.entry.headerOffset ?? directory.offset;
    return [{ entry, record, offset: entry.headerOffset, length: end - entry.headerOffset }];
  });
}

function splitRecords({ bytes, entries }: ZipDirectory): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const record = bytes.subarray(at, at + length);
    if (record.readUInt32LE(42) === 0xffffffff)
      throw new UnreadableArchive("unsupported", "The archive is too large for tags to be written into it.");
    records.push(record);
    at += length;
  }
  if (records.length !== entries.length)
    throw new UnreadableArchive("damaged", "The archive is damaged: its directory is broken.");
  return records;
}

function withOffset(record: Buffer, offset: number): Buffer {
  const copy = Buffer.from(record);
  copy.writeUInt32LE(offset, 42);
  return copy;
}

function copyRange(
  source: { readonly file: number; readonly part: KeptPart },
  target: { readonly file: number; readonly offset: number },
): void {
  const { part } = source;
  for (let done = 0; done < part.length; done += copiedBytes) {
    const bytes = readFullySync(source.file, {
      offset: part.offset + done,
      length: Math.min(copiedBytes, part.length - done),
    });
    writeAll(target.file, bytes, target.offset + done);
  }
}

function writeAll(to: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(to, bytes, written, bytes.length - written, at + written);
}

/** The new entries, one after the other. */
function tagEntries(tags: readonly TagFile[], offset: number): WrittenTags[] {
  let at = offset;
  return tags.map((file) => {
    const entry = tagsEntry(file, at);
    at += entry.local.length;
    return entry;
  });
}

/** A new entry: deflated, with a fixed time, so that the same tags make the same bytes. */
function tagsEntry(file: TagFile, offset: number): WrittenTags {
  const xml = Buffer.from(file.xml);
  const packed = deflateRawSync(xml);
  const name = Buffer.from(file.name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(0x800, 2);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt16LE(0x21, 8);
  shared.writeUInt32LE(crc32(xml), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(xml.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(20, 4);
  shared.copy(record, 6);
  record.writeUInt32LE(offset, 42);
  return {
    xml,
    local: Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), shared, name, packed]),
    record: Buffer.concat([record, name]),
  };
}

function endRecord(records: readonly Buffer[], directoryStart: number, comment: string): Buffer {
  const text = Buffer.from(comment, "latin1");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  if (records.length > 0xfffe)
    throw new UnreadableArchive("unsupported", "The archive has too many entries for tags to be written into it.");
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(
    records.reduce((sum, record) => sum + record.length, 0),
    12,
  );
  end.writeUInt32LE(directoryStart, 16);
  end.writeUInt16LE(text.length, 20);
  return Buffer.concat([end, text]);
}

/** Verifies the copy: reads its directory strictly, then compares every kept byte with the original. */
function compare(
  source: number,
  parts: readonly KeptPart[],
  { copy, offsets, written }: { copy: number; offsets: readonly number[]; written: readonly WrittenTags[] },
): void {
  const differs = () =>
    new UnreadableArchive("damaged", "The written archive differs from the original; nothing was changed.");
  const { entries } = parseSync(readZipDirectory(fstatSync(copy).size), copy);
  const kept = entries.slice(0, parts.length);
  const tags = entries.slice(parts.length);
  const areSame = tags.every((entry, index) => {
    const { xml } = written[index]!;
    return entry.sizeBytes === xml.length && entry.crc32 === crc32(xml);
  });
  if (entries.length !== parts.length + written.length || !areSame) throw differs();
  for (const [index, { entry }] of parts.entries()) {
    const same = kept[index]!;
    if (
      same.name !== entry.name ||
      same.crc32 !== entry.crc32 ||
      same.sizeBytes !== entry.sizeBytes ||
      same.compressedBytes !== entry.compressedBytes ||
      same.headerOffset !== offsets[index]
    )
      throw differs();
  }
  for (const [index, part] of parts.entries()) {
    for (let done = 0; done < part.length; done += copiedBytes) {
      const length = Math.min(copiedBytes, part.length - done);
      const one = readFullySync(source, { offset: part.offset + done, length });
      const other = readFullySync(copy, { offset: offsets[index]! + done, length });
      if (!one.equals(other)) throw differs();
    }
  }
}

import { closeSync, fstatSync, openSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { inflateOptions } from "@longbox/sdk/light";
import { largestTagsBytes } from "../archives/archive.js";
import { parseSync, readFullySync } from "../archives/byte-reading.js";
import { smallZip } from "../archives/small-zip.js";
import { findTagsEntry } from "../archives/tag-entries.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { unpackByReader } from "../archives/unpacking/reader-module.js";
import type { FormerTags, ReadFormerTags } from "../archives/unpacking/tasks.js";
import { checkUnpacked, dataStart, refuseEntry } from "../archives/zip-archive.js";
import { readZipDirectory, type ZipEntry } from "../archives/zip-directory.js";
import { ReaderSet } from "../readers/reader-set.js";
import { readComicInfo } from "../tags/comic-info.js";
import { readXmlNodes } from "../tags/xml-nodes.js";

interface TagBytes {
  readonly comic: Buffer | undefined;
  readonly metron: Buffer | undefined;
}

/** The tags of a file before new ones are written. For threads. @throws {UnreadableArchive} */
export async function readFormerTags({ path, from, readers }: ReadFormerTags): Promise<FormerTags> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const { comic, metron } =
      from === "xml"
        ? eitherOf(readWhole(descriptor, size))
        : await readInside(descriptor, size, new ReaderSet(readers));
    const root = metron && readXmlNodes(metron);
    return { comic: comic && readComicInfo(comic), metron: root?.name === "MetronInfo" ? root : undefined };
  } finally {
    closeSync(descriptor);
  }
}

/** A file is one of the two, which its root element tells. */
function eitherOf(bytes: Buffer): TagBytes {
  return { comic: bytes, metron: bytes };
}

function readWhole(descriptor: number, size: number): Buffer {
  if (size > largestTagsBytes) throw new UnreadableArchive("too-large", "The tags beside the file are too large.");
  return readFullySync(descriptor, { offset: 0, length: size });
}

async function readInside(descriptor: number, size: number, readers: ReaderSet): Promise<TagBytes> {
  const { entries } = parseSync(readZipDirectory(size), descriptor);
  const read = async (entry: ZipEntry | undefined) => entry && (await readEntry(descriptor, entry, readers));
  return { comic: await read(findTagsEntry(entries)), metron: await read(findTagsEntry(entries, "metroninfo.xml")) };
}

async function readEntry(descriptor: number, entry: ZipEntry, readers: ReaderSet): Promise<Buffer> {
  refuseEntry(entry, largestTagsBytes);
  const header = readFullySync(descriptor, { offset: entry.headerOffset, length: 30 });
  const offset = entry.headerOffset + dataStart(header);
  const bytes = await inflated(entry, readFullySync(descriptor, { offset, length: entry.compressedBytes }), readers);
  checkUnpacked(entry, bytes);
  return bytes;
}

async function inflated(entry: ZipEntry, packed: Buffer, readers: ReaderSet): Promise<Buffer> {
  if (entry.method === 0) return packed;
  if (entry.method === 8) return inflateRawSync(packed, inflateOptions(entry.sizeBytes));
  const { module } = readers.getForZip(entry.method);
  return Buffer.from(await unpackByReader(module, smallZip(entry, packed), entry.sizeBytes));
}

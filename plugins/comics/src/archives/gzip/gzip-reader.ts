import { closeSync, createReadStream, createWriteStream, fstatSync, openSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, inflateRawSync } from "node:zlib";
import type { ArchiveExtraction, ArchiveListing, ArchiveProblem } from "../../contract/archive-readers.js";
import { parseSync, readFullySync } from "../byte-reading.js";
import { ownKind } from "../kinds.js";
import { readTarDirectory } from "../tar-directory.js";
import { UnreadableArchive } from "../unreadable.js";
import { checkUnpacked, dataStart, refuseEntry, refuseInflated } from "../zip-archive.js";
import { readZipDirectory, type ZipEntry } from "../zip-directory.js";

/** Of an archive that is only listed. */
const mostListedBytes = 1024 * 1024 * 1024;
/** What a directory and its headers add to the pages. */
const mostOverheadBytes = 64 * 1024 * 1024;

class GzipProblem extends Error {
  constructor(
    readonly code: ArchiveProblem,
    options?: ErrorOptions,
  ) {
    super(`The archive is ${code}.`, options);
    this.name = "GzipProblem";
  }
}

interface InnerEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly encrypted: boolean;
  read(): Buffer;
}

/** The archive inside a gzip wrapper, a ZIP or a tar. @throws {GzipProblem} */
export async function list(path: string, mostEntries: number): Promise<ArchiveListing> {
  return withInner(path, mostListedBytes, (entries) => {
    if (entries.length > mostEntries) throw new GzipProblem("too-large");
    return { entries: entries.map(({ name, sizeBytes, encrypted }) => ({ name, sizeBytes, encrypted })), solid: true };
  });
}

/** @throws {GzipProblem} */
export async function extract({ path, names, folder, mostBytes }: ArchiveExtraction): Promise<void> {
  await withInner(path, mostBytes + mostOverheadBytes, (entries) => {
    const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]));
    let written = 0;
    for (const [index, name] of names.entries()) {
      const entry = byName.get(name);
      if (!entry) continue;
      written += entry.sizeBytes;
      if (written > mostBytes) throw new GzipProblem("too-large");
      writeFileSync(join(folder, String(index)), entry.read());
    }
  });
}

/** Unpacks the wrapper into a file, which is gone afterwards: directories of ZIPs stand at the end. */
async function withInner<T>(path: string, mostBytes: number, use: (entries: readonly InnerEntry[]) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-gzip-"));
  try {
    const inner = join(folder, "inner");
    await gunzip(path, inner, mostBytes);
    const descriptor = openSync(inner, "r");
    try {
      return use(entriesOf(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw problemOf(thrown);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function gunzip(from: string, to: string, mostBytes: number): Promise<void> {
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > mostBytes) done(new GzipProblem("too-large"));
      else done(null, chunk);
    },
  });
  await pipeline(createReadStream(from), createGunzip(), bounded, createWriteStream(to));
}

function entriesOf(descriptor: number): InnerEntry[] {
  const { size } = fstatSync(descriptor);
  const kind = ownKind(readFullySync(descriptor, { offset: 0, length: Math.min(size, 512) }));
  if (kind === "tar")
    return parseSync(readTarDirectory(size), descriptor).map(({ name, sizeBytes, offset }) => ({
      ...{ name, sizeBytes, encrypted: false },
      read: () => readFullySync(descriptor, { offset, length: sizeBytes }),
    }));
  if (kind !== "zip") throw new GzipProblem("unsupported");
  return parseSync(readZipDirectory(size), descriptor).entries.map((entry) => ({
    ...{ name: entry.name, sizeBytes: entry.sizeBytes, encrypted: entry.encrypted },
    read: () => inflated(descriptor, entry),
  }));
}

function inflated(descriptor: number, entry: ZipEntry): Buffer {
  refuseEntry(entry, mostListedBytes);
  const header = readFullySync(descriptor, { offset: entry.headerOffset, length: 30 });
  const offset = entry.headerOffset + dataStart(header);
  const packed = readFullySync(descriptor, { offset, length: entry.compressedBytes });
  const bytes = entry.method === 0 ? packed : inflate(entry, packed);
  checkUnpacked(entry, bytes);
  return bytes;
}

function inflate({ method, sizeBytes }: ZipEntry, packed: Buffer): Buffer {
  if (method !== 8) throw new GzipProblem("unsupported");
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch (thrown) {
    return refuseInflated(thrown);
  }
}

function problemOf(thrown: unknown): unknown {
  if (thrown instanceof GzipProblem) return thrown;
  const reason = thrown instanceof UnreadableArchive ? thrown.reason : undefined;
  if (reason === "encrypted" || reason === "too-large" || reason === "unsupported" || reason === "truncated")
    return new GzipProblem(reason, { cause: thrown });
  const isCutOff = (thrown as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
  return new GzipProblem(isCutOff ? "truncated" : "damaged", { cause: thrown });
}

import { closeSync, createWriteStream, fstatSync, openSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { inflateRawSync } from "node:zlib";
import { inflateOptions } from "@longbox/sdk/light";
import type { ArchiveProblem, ArchiveReaderModule } from "../../contract/archive-readers.js";
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

class WrapperProblem extends Error {
  constructor(
    readonly code: ArchiveProblem,
    options?: ErrorOptions,
  ) {
    super(`The archive is ${code}.`, options);
    this.name = "WrapperProblem";
  }
}

interface InnerEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly encrypted: boolean;
  read(): Buffer;
}

/** A way to unpack a wrapper. */
export interface Wrapper {
  unpacked(path: string): Readable;
  /** What an error of it means; undefined for a damaged file. */
  problemOf(thrown: unknown): ArchiveProblem | undefined;
}

/** Reads the ZIP or tar inside a wrapper. Its methods throw {@link WrapperProblem}. */
export function wrappedReader(wrapper: Wrapper): ArchiveReaderModule {
  return {
    list: (path, mostEntries) =>
      withInner(wrapper, { path, mostBytes: mostListedBytes }, (entries) => {
        if (entries.length > mostEntries) throw new WrapperProblem("too-large");
        const listed = entries.map(({ name, sizeBytes, encrypted }) => ({ name, sizeBytes, encrypted }));
        return { entries: listed, solid: true };
      }),
    extract: ({ path, names, folder, mostBytes }) =>
      withInner(wrapper, { path, mostBytes: mostBytes + mostOverheadBytes }, (entries) => {
        const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]));
        let written = 0;
        for (const [index, name] of names.entries()) {
          const entry = byName.get(name);
          if (!entry) continue;
          written += entry.sizeBytes;
          if (written > mostBytes) throw new WrapperProblem("too-large");
          writeFileSync(join(folder, String(index)), entry.read());
        }
      }),
  };
}

/** Unpacks the wrapper into a file, which is gone afterwards: directories of ZIPs stand at the end. */
async function withInner<T>(
  wrapper: Wrapper,
  { path, mostBytes }: { readonly path: string; readonly mostBytes: number },
  use: (entries: readonly InnerEntry[]) => T,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-wrapped-"));
  try {
    const inner = join(folder, "inner");
    await pipeline(wrapper.unpacked(path), bounded(mostBytes), createWriteStream(inner));
    const descriptor = openSync(inner, "r");
    try {
      return use(entriesOf(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw problemOf(thrown, wrapper);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function bounded(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > mostBytes) done(new WrapperProblem("too-large"));
      else done(null, chunk);
    },
  });
}

function entriesOf(descriptor: number): InnerEntry[] {
  const { size } = fstatSync(descriptor);
  const kind = ownKind(readFullySync(descriptor, { offset: 0, length: Math.min(size, 512) }));
  if (kind === "tar")
    return parseSync(readTarDirectory(size), descriptor).map(({ name, sizeBytes, offset }) => ({
      ...{ name, sizeBytes, encrypted: false },
      read: () => readFullySync(descriptor, { offset, length: sizeBytes }),
    }));
  if (kind !== "zip") throw new WrapperProblem("unsupported");
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
  if (method !== 8) throw new WrapperProblem("unsupported");
  try {
    return inflateRawSync(packed, inflateOptions(sizeBytes));
  } catch (thrown) {
    return refuseInflated(thrown);
  }
}

function problemOf(thrown: unknown, wrapper: Wrapper): unknown {
  if (thrown instanceof WrapperProblem) return thrown;
  const reason = thrown instanceof UnreadableArchive ? thrown.reason : undefined;
  if (reason === "encrypted" || reason === "too-large" || reason === "unsupported" || reason === "truncated")
    return new WrapperProblem(reason, { cause: thrown });
  return new WrapperProblem(wrapper.problemOf(thrown) ?? "damaged", { cause: thrown });
}

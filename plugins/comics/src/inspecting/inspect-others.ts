import { closeSync, fstatSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InspectedFile } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";
import { parseSync, readFullySync } from "../archives/byte-reading.js";
import { listFolder } from "../archives/folder-archive.js";
import { largestTagsBytes } from "../archives/archive.js";
import { pagesOf } from "../archives/page-names.js";
import { findTagsEntry } from "../archives/tag-entries.js";
import { readTarDirectory, type TarEntry } from "../archives/tar-directory.js";
import { wholeOf } from "../archives/unpacked-archive.js";
import type { Unpacker } from "../archives/unpacking/unpacker.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { emptyProblem, type Look } from "./look.js";

/** A file, and what aborts when it takes too long. */
type FileInTime = Pick<InspectedFile, "path" | "signal">;

export function inspectTar(path: string): Look {
  const descriptor = openSync(path, "r");
  try {
    const entries = parseSync(readTarDirectory(fstatSync(descriptor).size), descriptor);
    const read = (entry: TarEntry | undefined) =>
      entry && entry.sizeBytes <= largestTagsBytes
        ? readFullySync(descriptor, { offset: entry.offset, length: entry.sizeBytes })
        : undefined;
    const metronInfo = read(findTagsEntry(entries, "metroninfo.xml"));
    return { ...lookOf(pagesOf(entries).length, read(findTagsEntry(entries))), metronInfo };
  } finally {
    closeSync(descriptor);
  }
}

export async function inspectFolder(path: string): Promise<Look> {
  const { pages, tagsName, metronName } = await listFolder(path);
  const read = (name: string | undefined) =>
    name === undefined ? undefined : readSmallFile(join(path, name), largestTagsBytes);
  return { ...lookOf(pages.length, read(tagsName)), metronInfo: read(metronName) };
}

export async function inspectPdf({ path, signal }: FileInTime, unpacker: Unpacker): Promise<Look> {
  return lookOf(await unpacker.run({ kind: "count-pdf", path }, signal));
}

/** @param reader - the URL of the reader's module @throws {UnreadableArchive} */
export async function inspectPacked({ path, signal }: FileInTime, reader: string, unpacker: Unpacker): Promise<Look> {
  const { pages, tags: entry } = await unpacker.run({ kind: "list", reader, path }, signal);
  if (pages.some(({ entry }) => entry.encrypted))
    throw new UnreadableArchive("encrypted", "The archive is protected by a password.");
  if (!entry || entry.encrypted || entry.sizeBytes > largestTagsBytes) return lookOf(pages.length);
  const folder = await mkdtemp(join(tmpdir(), "longbox-tags-"));
  try {
    await unpacker.run({ kind: "extract", reader, path, folder, ...wholeOf([entry]) }, signal);
    return lookOf(pages.length, await readFile(join(folder, "0")));
  } catch (thrown) {
    // Tags that cannot be unpacked do not make the pages unreadable.
    if (thrown instanceof UnreadableArchive) return lookOf(pages.length);
    throw thrown;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lookOf(pages: number, comicInfo?: Buffer): Look {
  return { pages, error: emptyProblem(pages), comicInfo };
}

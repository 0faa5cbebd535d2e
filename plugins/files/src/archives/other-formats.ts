import { closeSync, fstatSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OtherFormats } from "../scan/look-into.js";
import { parseSync, readFullySync } from "./byte-reading.js";
import { FolderArchive } from "./folder-archive.js";
import { largestTagsBytes } from "./archive.js";
import { pagesOf } from "./page-names.js";
import { findTagsEntry } from "./tag-entries.js";
import { readTarDirectory } from "./tar-directory.js";
import { oddMethodsBy } from "./unpacking/odd-methods.js";
import type { Unpacker } from "./unpacking/unpacker.js";
import { UnreadableArchive } from "./unreadable.js";

/** Looks into the formats that are no plain ZIP, for the scanning thread. */
export function otherFormats(unpacker: Unpacker): OtherFormats {
  return {
    async look(path, kind) {
      if (kind === "tar") return lookIntoTar(path);
      if (kind === "folder") return lookIntoFolder(path);
      if (kind === "pdf") return { pages: await unpacker.run({ kind: "count-pdf", path }), tags: undefined };
      return lookIntoPacked(path, kind, unpacker);
    },
    unzip: oddMethodsBy(unpacker),
  };
}

function lookIntoTar(path: string): { pages: number; tags: Buffer | undefined } {
  const descriptor = openSync(path, "r");
  try {
    const entries = parseSync(readTarDirectory(fstatSync(descriptor).size), descriptor);
    const entry = findTagsEntry(entries);
    const tags = entry && entry.sizeBytes <= largestTagsBytes ? readFullySync(descriptor, { offset: entry.offset, length: entry.sizeBytes }) : undefined;
    return { pages: pagesOf(entries).length, tags };
  } finally {
    closeSync(descriptor);
  }
}

async function lookIntoFolder(path: string): Promise<{ pages: number; tags: Buffer | undefined }> {
  const archive = await FolderArchive.open(path);
  return { pages: archive.pages.length, tags: await archive.readTags() };
}

async function lookIntoPacked(path: string, kind: "rar" | "7z", unpacker: Unpacker): Promise<{ pages: number; tags: Buffer | undefined }> {
  const { entries } = await unpacker.run({ kind: "list", format: kind, path });
  const pages = pagesOf(entries);
  if (pages.some(({ entry }) => entry.encrypted)) throw new UnreadableArchive("encrypted", "The archive is protected by a password.");
  const entry = findTagsEntry(entries);
  if (!entry || entry.encrypted || entry.sizeBytes > largestTagsBytes) return { pages: pages.length, tags: undefined };
  const folder = await mkdtemp(join(tmpdir(), "longbox-tags-"));
  try {
    await unpacker.run({ kind: "extract", format: kind, path, names: [entry.name], folder });
    return { pages: pages.length, tags: await readFile(join(folder, "0")) };
  } catch (thrown) {
    // Tags that cannot be unpacked do not make the pages unreadable.
    if (thrown instanceof UnreadableArchive) return { pages: pages.length, tags: undefined };
    throw thrown;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { open, readFile } from "node:fs/promises";
import type { Archive, ArchiveKind } from "../archives/archive.js";
import { archiveKind, kindHeadBytes } from "../archives/kinds.js";
import { FolderArchive } from "../archives/folder-archive.js";
import { PdfArchive } from "../archives/pdf-archive.js";
import { TarArchive } from "../archives/tar-archive.js";
import { UnpackedArchive, type Unpacking } from "../archives/unpacked-archive.js";
import { oddMethodsBy } from "../archives/unpacking/odd-methods.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { ZipArchive } from "../archives/zip-archive.js";
import { readComicInfo } from "../tags/comic-info.js";
import { issueTags, type IssueTags } from "../tags/issue-tags.js";
import { sidecarName } from "../tags/sidecar.js";
import type { Opened } from "./open-archives.js";

/** An open archive and what its tags say of reading it. */
export interface OpenComic extends Opened {
  readonly rightToLeft: boolean;
  /** The page that shows the cover, counted from 0. */
  readonly coverPage: number;
}

/** Opens whatever holds an issue, by what its bytes show it to be. @throws {UnreadableArchive} */
export async function openComic(path: string, validator: string, unpacking: Unpacking): Promise<OpenComic> {
  const archive = await openArchive(path, validator, unpacking);
  try {
    const tags = await readTags(path, archive);
    const front = tags?.frontCover ?? 0;
    return { archive, rightToLeft: tags?.rightToLeft ?? false, coverPage: front < archive.pages.length ? front : 0 };
  } catch (thrown) {
    await archive.close();
    throw thrown;
  }
}

/** @throws {UnreadableArchive} */
export async function openArchive(path: string, validator: string, unpacking: Unpacking): Promise<Archive> {
  const kind = await kindOf(path);
  if (kind === "zip") return ZipArchive.open(path, oddMethodsBy(unpacking.unpacker));
  if (kind === "tar") return TarArchive.open(path);
  if (kind === "folder") return FolderArchive.open(path);
  if (kind === "pdf") return PdfArchive.open(path, validator, unpacking);
  return UnpackedArchive.open(kind, path, validator, unpacking);
}

async function kindOf(path: string): Promise<ArchiveKind> {
  const handle = await open(path, "r");
  try {
    if ((await handle.stat()).isDirectory()) return "folder";
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(kindHeadBytes), 0, kindHeadBytes, 0);
    const kind = archiveKind(buffer.subarray(0, bytesRead));
    if (kind === undefined) throw new UnreadableArchive("not-an-archive", "The file is no archive that can be read here.");
    return kind;
  } finally {
    await handle.close();
  }
}

/** Bad tags never keep anyone from reading. */
async function readTags(path: string, archive: Archive): Promise<IssueTags | undefined> {
  const bytes = (await readFile(sidecarName(path)).catch(() => undefined)) ?? (await archive.readTags().catch(() => undefined));
  const info = bytes && readComicInfo(bytes);
  return info && issueTags(info);
}

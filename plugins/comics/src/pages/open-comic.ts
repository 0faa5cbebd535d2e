import { open } from "node:fs/promises";
import type { FilesContent, FilesEngine, OpenedFile } from "@longbox/files/contract";
import { z } from "zod";
import type { Archive } from "../archives/archive.js";
import { kindHeadBytes, ownKind } from "../archives/kinds.js";
import { FolderArchive } from "../archives/folder-archive.js";
import { PdfArchive } from "../archives/pdf-archive.js";
import { TarArchive } from "../archives/tar-archive.js";
import { UnpackedArchive, type ArchivePlace, type Unpacking } from "../archives/unpacked-archive.js";
import { zipHelpBy } from "../archives/unpacking/zip-help.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { ZipArchive } from "../archives/zip-archive.js";
import { FileChanged, FileGone } from "./file-changed.js";
import type { ReaderSet } from "../readers/reader-set.js";
import type { Opened } from "./open-archives.js";

/** An open archive and what its tags say of reading it. */
export interface OpenComic extends Opened {
  readonly rightToLeft: boolean;
  /** The page that shows the cover, counted from 0. */
  readonly coverPage: number;
}

/** What the inspector keeps with a file. See `inspect-worker.ts`. */
const detailsSchema = z.object({ rightToLeft: z.boolean().optional(), cover: z.number().int().min(0).optional() });

export interface OpeningParts {
  readonly engine: Pick<FilesEngine, "findRead">;
  readonly files: Pick<FilesContent, "open" | "send">;
  readonly unpacking: Unpacking;
}

/**
 * Opens a comic, by what its bytes show it to be; what its tags say was read by the last scan.
 * @throws {UnreadableArchive}
 */
export async function openComic(path: string, validator: string, parts: OpeningParts): Promise<OpenComic> {
  const [archive, [read]] = await Promise.all([openInLibrary(path, validator, parts), parts.engine.findRead([path])]);
  const details = detailsSchema.safeParse(read?.details).data;
  const cover = details?.cover ?? 0;
  return {
    archive,
    rightToLeft: details?.rightToLeft ?? false,
    coverPage: cover < archive.pages.length ? cover : 0,
  };
}

/** Archives are opened by their real path, which is checked before and after. */
async function openInLibrary(path: string, validator: string, { files, unpacking }: OpeningParts): Promise<Archive> {
  await using before = await files.open(path).then(orGone);
  const confirm = () => refuseChanged(path, before, files);
  const archive = await openArchive({ path: before.path, validator, confirm }, { files, unpacking });
  try {
    await confirm();
    return archive;
  } catch (thrown) {
    await archive.close();
    throw thrown;
  }
}

/**
 * @throws {FileChanged} when another file lies at the path by now
 * @throws {FileGone} when no library file is at the path
 */
async function refuseChanged(
  path: string,
  before: Pick<OpenedFile, "path" | "validator">,
  files: OpeningParts["files"],
): Promise<void> {
  await using now = await files.open(path).then(orGone);
  if (now.path !== before.path || now.validator !== before.validator) throw new FileChanged();
}

function orGone(opened: OpenedFile | undefined): OpenedFile & AsyncDisposable {
  if (!opened) throw new FileGone();
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

async function openArchive(
  place: ArchivePlace,
  { files, unpacking }: Pick<OpeningParts, "files" | "unpacking">,
): Promise<Archive> {
  const { path } = place;
  const kind = await kindOf(path, unpacking.readers());
  const zipHelp = zipHelpBy(unpacking.unpacker, unpacking.readers);
  if (kind === "zip") return ZipArchive.open(path, zipHelp);
  if (kind === "epub") return ZipArchive.openEpub(path, zipHelp);
  if (kind === "tar") return TarArchive.open(path, (tar) => unpacking.unpacker.run({ kind: "list-tar", path: tar }));
  if (kind === "folder") return FolderArchive.open(path, files);
  if (kind === "pdf") return PdfArchive.open(place, unpacking);
  return UnpackedArchive.open(kind, place, unpacking);
}

async function kindOf(path: string, readers: ReaderSet): Promise<string> {
  const handle = await open(path, "r");
  try {
    if ((await handle.stat()).isDirectory()) return "folder";
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(kindHeadBytes), 0, kindHeadBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    const kind = ownKind(head) ?? readers.findKind(head)?.id;
    if (kind === undefined)
      throw new UnreadableArchive("not-an-archive", "The file is not an archive that can be read here.");
    return kind;
  } finally {
    await handle.close();
  }
}

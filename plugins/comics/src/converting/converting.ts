import { basename, dirname, extname, join } from "node:path";
import { stat, type FileHandle } from "node:fs/promises";
import { unlessMissing } from "@longbox/sdk";
import type { FilesEngine } from "@longbox/files/contract";
import { ZipFile } from "yazl";
import { ZipArchive, type ZipHelp } from "../archives/zip-archive.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";

export interface ConvertingParts {
  readonly archives: OpenArchives<OpenComic>;
  readonly engine: FilesEngine;
  readonly zipHelp: ZipHelp;
}

/** Turns a RAR into a CBZ beside it: written, read back and compared before the RAR goes to the trash. */
export class Converting {
  constructor(private readonly parts: ConvertingParts) {}

  /** @returns the new path @throws {UnreadableArchive} @throws {LongboxError} */
  async convert(path: string): Promise<string> {
    const target = join(dirname(path), `${basename(path, extname(path))}.cbz`);
    const converted =
      path === target ? join(dirname(path), `${basename(path, extname(path))} (converted).cbz`) : target;
    const isThere = (await unlessMissing(stat(converted))) !== undefined;
    const { archives, engine, zipHelp } = this.parts;
    await archives.use(path, async ({ archive }) => {
      if (isThere) await requireCopy(archive, converted, zipHelp);
      else await engine.replaceFile(converted, (file) => writeZip(archive, file, zipHelp));
    });
    await engine.supersede(path, converted);
    return converted;
  }
}

async function writeZip(archive: OpenComic["archive"], file: FileHandle, help: ZipHelp): Promise<void> {
  const zip = new ZipFile();
  const tags = await archive.readTags();
  if (tags) zip.addBuffer(tags, "ComicInfo.xml", { compress: true });
  // Images are packed already; packing them again only costs time.
  for (const [index, page] of archive.pages.entries())
    zip.addBuffer(Buffer.from((await archive.readPageBytes(index)).bytes), page.name, { compress: false });
  zip.end();
  let at = 0;
  for await (const part of zip.outputStream) {
    const bytes = part as Buffer;
    await file.write(bytes, 0, bytes.length, at);
    at += bytes.length;
  }
  await file.sync();
  await compare(archive, `/proc/self/fd/${file.fd}`, help);
}

/**
 * A CBZ that is there already is kept when it is the copy: a restart may have come between writing it and moving the
 * RAR.
 */
async function requireCopy(archive: OpenComic["archive"], copy: string, help: ZipHelp): Promise<void> {
  try {
    await compare(archive, copy, help);
  } catch (cause) {
    if (!(cause instanceof UnreadableArchive)) throw cause;
    throw new UnreadableArchive("unsupported", "There is already a CBZ of that name; nothing was overwritten.", {
      cause,
    });
  }
}

async function compare(archive: OpenComic["archive"], copy: string, help: ZipHelp): Promise<void> {
  const written = await ZipArchive.open(copy, help);
  try {
    const differs =
      written.pages.length !== archive.pages.length ||
      written.pages.some((page, index) => page.name !== archive.pages[index]!.name);
    if (differs)
      throw new UnreadableArchive("damaged", "The written archive differs from the original; nothing was changed.");
    for (let page = 0; page < archive.pages.length; page++) {
      const [one, other] = await Promise.all([archive.readPageBytes(page), written.readPageBytes(page)]);
      if (!Buffer.from(one.bytes).equals(Buffer.from(other.bytes)))
        throw new UnreadableArchive("damaged", "The written archive differs from the original; nothing was changed.");
    }
  } finally {
    await written.close();
  }
}

import { basename, dirname, extname, join } from "node:path";
import { stat, type FileHandle } from "node:fs/promises";
import { systemViewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import { ZipFile } from "yazl";
import { ZipArchive } from "../archives/zip-archive.js";
import { UnreadableArchive } from "../archives/unreadable.js";
import { trashPath } from "../cleanup/cleaning.js";
import type { Moves } from "../moving/moves.js";
import { PlaceTaken } from "../moving/move-file.js";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";
import type { ScanIndex } from "../scan/scan-index.js";
import type { ReplacingFiles } from "../tagging/replacing-file.js";

export interface ConvertingParts {
  readonly collection: CollectionContract;
  readonly archives: OpenArchives<OpenComic>;
  readonly index: ScanIndex;
  readonly moves: Moves;
  readonly replacing: ReplacingFiles;
}

/** Turns a RAR into a CBZ beside it: written, read back and compared before the RAR goes to the trash. */
export class Converting {
  constructor(private readonly parts: ConvertingParts) {}

  /** @returns the new path @throws {PlaceTaken} @throws {UnreadableArchive} */
  async convert(path: string): Promise<string> {
    const library = (await this.parts.collection.listLibraries(systemViewer)).find(({ rootFolder }) => path.startsWith(`${rootFolder}/`));
    if (!library) throw new UnreadableArchive("unsupported", "The file is in no library.");
    const target = join(dirname(path), `${basename(path, extname(path))}.cbz`);
    const converted = path === target ? join(dirname(path), `${basename(path, extname(path))} (converted).cbz`) : target;
    if (await stat(converted).catch(() => undefined)) throw new PlaceTaken(converted);
    await this.parts.archives.use(path, ({ archive }) => this.parts.replacing.replace(converted, (file) => writeZip(archive, file)));
    const trash = trashPath(library.rootFolder, path);
    await this.parts.collection.moveFiles([{ from: path, to: converted }]);
    await this.parts.index.forget([path]);
    const { failed } = await this.parts.moves.perform("cleanup", [{ from: path, to: trash }], () => library.rootFolder);
    if (failed[0]) throw new UnreadableArchive("damaged", failed[0].error);
    return converted;
  }
}

async function writeZip(archive: OpenComic["archive"], file: FileHandle): Promise<void> {
  const zip = new ZipFile();
  const tags = await archive.readTags();
  if (tags) zip.addBuffer(tags, "ComicInfo.xml", { compress: true });
  // Images are packed already; packing them again only costs time.
  for (const [index, page] of archive.pages.entries()) zip.addBuffer(Buffer.from((await archive.readPageBytes(index)).bytes), page.name, { compress: false });
  zip.end();
  let at = 0;
  for await (const part of zip.outputStream) {
    const bytes = part as Buffer;
    await file.write(bytes, 0, bytes.length, at);
    at += bytes.length;
  }
  await file.sync();
  await compare(archive, `/proc/self/fd/${file.fd}`);
}

async function compare(archive: OpenComic["archive"], copy: string): Promise<void> {
  const written = await ZipArchive.open(copy);
  try {
    const differs = written.pages.length !== archive.pages.length || written.pages.some((page, index) => page.name !== archive.pages[index]!.name);
    if (differs) throw new UnreadableArchive("damaged", "The written archive differs from the original; nothing was changed.");
    for (let page = 0; page < archive.pages.length; page++) {
      const [one, other] = await Promise.all([archive.readPageBytes(page), written.readPageBytes(page)]);
      if (!Buffer.from(one.bytes).equals(Buffer.from(other.bytes))) throw new UnreadableArchive("damaged", "The written archive differs from the original; nothing was changed.");
    }
  } finally {
    await written.close();
  }
}

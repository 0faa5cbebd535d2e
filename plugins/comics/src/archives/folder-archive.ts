import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "@longbox/sdk";
import type { FilesContent, OpenedFile } from "@longbox/files/contract";
import { largestPictureBytes, largestTagsBytes, type Archive, type PageEntry } from "./archive.js";
import { readFully } from "./byte-reading.js";
import { pagesOf, sniffImage } from "./page-names.js";
import { findTagsEntry } from "./tag-entries.js";
import { UnreadableArchive } from "./unreadable.js";

const headBytes = 16;

/** A folder of images, read as one issue: each is opened as a file of the library, since it may be a link by now. */
export class FolderArchive implements Archive {
  readonly kind = "folder";

  readonly pages: readonly PageEntry[];

  private constructor(
    private readonly path: string,
    private readonly files: Pick<FilesContent, "open" | "send">,
    private readonly listed: ListedFolder,
  ) {
    this.pages = listed.pages;
  }

  static async open(path: string, files: Pick<FilesContent, "open" | "send">): Promise<FolderArchive> {
    return new FolderArchive(path, files, await listFolder(path));
  }

  async readPage(page: number): Promise<Content> {
    const { name, contentType } = this.pages[page]!;
    const path = join(this.path, name);
    const head = await this.#read(name, { mostBytes: headBytes, whole: false });
    const sent = await this.files.send({ path, contentType: sniffImage(head) ?? contentType });
    if (!sent) throw new UnreadableArchive("damaged", "The page no longer exists.");
    return sent.content;
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { name, contentType } = this.pages[page]!;
    const bytes = await this.#read(name, { mostBytes: largestPictureBytes, whole: true });
    return { bytes, contentType: sniffImage(bytes) ?? contentType };
  }

  async readTags(): Promise<Buffer | undefined> {
    const { tagsName } = this.listed;
    return tagsName === undefined ? undefined : this.#read(tagsName, { mostBytes: largestTagsBytes, whole: true });
  }

  async close(): Promise<void> {}

  async #read(name: string, limits: { mostBytes: number; whole: boolean }): Promise<Buffer> {
    const opened = await this.files.open(join(this.path, name));
    try {
      if (opened?.kind !== "file") throw new UnreadableArchive("damaged", "The page no longer exists.");
      return await readOpened(opened, limits);
    } finally {
      await opened?.close();
    }
  }
}

export interface ListedFolder {
  readonly pages: PageEntry[];
  /** The name of ComicInfo.xml in it. */
  readonly tagsName: string | undefined;
  /** The name of MetronInfo.xml in it. */
  readonly metronName: string | undefined;
}

/** The pages in a folder and the names of its tags; links are left out. */
export async function listFolder(path: string): Promise<ListedFolder> {
  const names = (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name }));
  const sized = await Promise.all(
    names.map(async ({ name }) => ({ name, sizeBytes: (await lstat(join(path, name))).size })),
  );
  const metronName = findTagsEntry(names, "metroninfo.xml")?.name;
  return { pages: pagesOf(sized), tagsName: findTagsEntry(names)?.name, metronName };
}

async function readOpened(
  { handle, sizeBytes }: OpenedFile,
  { mostBytes, whole }: { readonly mostBytes: number; readonly whole: boolean },
): Promise<Buffer> {
  if (whole && sizeBytes > mostBytes) throw new UnreadableArchive("too-large", "The page is too large to be read.");
  return readFully(handle, { offset: 0, length: Math.min(sizeBytes, mostBytes) });
}

/** The media type that a file's first bytes show. */
export async function sniffFile(path: string): Promise<string | undefined> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return sniffImage(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

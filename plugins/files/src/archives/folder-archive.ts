import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "@longbox/sdk";
import type { Archive, PageEntry } from "./archive.js";
import { pagesOf, sniffImage } from "./page-names.js";
import { findTagsEntry } from "./tag-entries.js";

/** A folder of images, read as one issue. */
export class FolderArchive implements Archive {
  readonly kind = "folder";

  private constructor(
    private readonly path: string,
    readonly pages: readonly PageEntry[],
    private readonly tagsName: string | undefined,
  ) {}

  static async open(path: string): Promise<FolderArchive> {
    const names = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => ({ name: entry.name }));
    const sized = await Promise.all(names.map(async ({ name }) => ({ name, sizeBytes: (await stat(join(path, name))).size })));
    return new FolderArchive(path, pagesOf(sized), findTagsEntry(names)?.name);
  }

  async readPage(page: number): Promise<Content> {
    const { name, contentType } = this.pages[page]!;
    const path = join(this.path, name);
    return { kind: "file", path, contentType: (await sniffFile(path)) ?? contentType };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { name, contentType } = this.pages[page]!;
    const bytes = await readFile(join(this.path, name));
    return { bytes, contentType: sniffImage(bytes) ?? contentType };
  }

  async readTags(): Promise<Buffer | undefined> {
    return this.tagsName === undefined ? undefined : readFile(join(this.path, this.tagsName));
  }

  async close(): Promise<void> {}
}

/** The media type that a file's first bytes show. */
export async function sniffFile(path: string): Promise<string | undefined> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return sniffImage(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

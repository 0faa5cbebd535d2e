import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readFileBounded, TooManyBytes, type Content } from "@longbox/sdk";
import { largestPictureBytes, largestTagsBytes, type Archive, type PageEntry } from "./archive.js";
import { pagesOf, sniffImage } from "./page-names.js";
import { findTagsEntry } from "./tag-entries.js";
import { UnreadableArchive } from "./unreadable.js";

/** A folder of images, read as one issue. */
export class FolderArchive implements Archive {
  readonly kind = "folder";

  private constructor(
    private readonly path: string,
    readonly pages: readonly PageEntry[],
    private readonly tagsName: string | undefined,
  ) {}

  static async open(path: string): Promise<FolderArchive> {
    const names = (await readdir(path, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => ({ name: entry.name }));
    const sized = await Promise.all(
      names.map(async ({ name }) => ({ name, sizeBytes: (await stat(join(path, name))).size })),
    );
    return new FolderArchive(path, pagesOf(sized), findTagsEntry(names)?.name);
  }

  async readPage(page: number): Promise<Content> {
    const { name, contentType } = this.pages[page]!;
    const path = join(this.path, name);
    return { kind: "file", path, contentType: (await sniffFile(path)) ?? contentType };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { name, contentType } = this.pages[page]!;
    const bytes = await readFileBounded(join(this.path, name), largestPictureBytes).catch(refuseLarge);
    return { bytes, contentType: sniffImage(bytes) ?? contentType };
  }

  async readTags(): Promise<Buffer | undefined> {
    return this.tagsName === undefined ? undefined : readFileBounded(join(this.path, this.tagsName), largestTagsBytes);
  }

  async close(): Promise<void> {}
}

function refuseLarge(thrown: unknown): never {
  if (!(thrown instanceof TooManyBytes)) throw thrown;
  throw new UnreadableArchive("too-large", "The page is too large to be read.", { cause: thrown });
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

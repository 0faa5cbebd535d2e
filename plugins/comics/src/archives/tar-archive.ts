import { open, type FileHandle } from "node:fs/promises";
import type { Content } from "@longbox/sdk";
import { largestPictureBytes, largestTagsBytes, type Archive, type PageEntry } from "./archive.js";
import { readFully, readInto } from "./byte-reading.js";
import { sniffImage } from "./page-names.js";
import type { TarEntry } from "./tar-directory.js";
import type { Listing } from "./unpacking/tasks.js";
import { UnreadableArchive } from "./unreadable.js";

/** A tar read at random: every page is a part of the file. */
export class TarArchive implements Archive {
  readonly kind = "tar";
  readonly pages: ReadonlyArray<PageEntry & { readonly entry: TarEntry }>;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly listing: Listing<TarEntry>,
  ) {
    this.pages = listing.pages;
  }

  /** @throws {UnreadableArchive} */
  static async open(path: string, list: (path: string) => Promise<Listing<TarEntry>>): Promise<TarArchive> {
    const handle = await open(path, "r");
    try {
      return new TarArchive(path, handle, await list(path));
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  async readPage(page: number): Promise<Content> {
    const { entry, contentType } = this.pages[page]!;
    const head = await readFully(this.handle, { offset: entry.offset, length: Math.min(16, entry.sizeBytes) });
    return {
      kind: "slice",
      path: this.path,
      offset: entry.offset,
      length: entry.sizeBytes,
      contentType: sniffImage(head) ?? contentType,
    };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { entry, contentType } = this.pages[page]!;
    const bytes = await this.#read(entry, largestPictureBytes);
    return { bytes, contentType: sniffImage(bytes) ?? contentType };
  }

  readInto(target: Uint8Array, position: number): Promise<void> {
    return readInto(this.handle, target, position);
  }

  async readTags(): Promise<Buffer | undefined> {
    const entry = this.listing.tags;
    return entry && this.#read(entry, largestTagsBytes);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async #read(entry: TarEntry, mostBytes: number): Promise<Buffer> {
    if (entry.sizeBytes > mostBytes)
      throw new UnreadableArchive("too-large", "An entry of the archive is too large to be read.");
    return readFully(this.handle, { offset: entry.offset, length: entry.sizeBytes });
  }
}

import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FileCache } from "@longbox/sdk";
import type { SpareFiles } from "./spare-files.js";
import { openFileCache, type LimitedFileCache, type Tidied } from "./file-cache.js";

/**
 * The caches that have been opened: one object for each folder, so that two versions of a plugin keep one limit
 * together.
 */
export class OwnerCaches {
  readonly #opened = new Map<string, Promise<LimitedFileCache>>();
  readonly #spare: SpareFiles;

  /** @param spare - Where caches write what their full disk has no room for */
  constructor(spare: SpareFiles) {
    this.#spare = spare;
  }

  async open(folder: string, name: string, maxBytes: number): Promise<FileCache> {
    const path = join(folder, name);
    const existing = this.#opened.get(path);
    if (!existing) return this.#openFirst(path, maxBytes);
    const cache = await existing;
    await cache.limitTo(maxBytes);
    return cache;
  }

  /** Drops files that were last used before a time from all caches under a folder, open or not. */
  async tidy(folder: string, timeMs: number): Promise<Tidied> {
    let [files, freedBytes] = [0, 0];
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      const cache = await (this.#opened.get(path) ?? openFileCache(path, { maxBytes: Number.POSITIVE_INFINITY }));
      const tidied = await cache.dropUnusedSince(timeMs);
      files += tidied.files;
      freedBytes += tidied.freedBytes;
    }
    return { files, freedBytes };
  }

  forget(folder: string): void {
    for (const path of this.#opened.keys()) if (path.startsWith(folder + sep)) this.#opened.delete(path);
  }

  #openFirst(path: string, maxBytes: number): Promise<FileCache> {
    const opening = openFileCache(path, { maxBytes, spare: this.#spare });
    this.#opened.set(path, opening);
    opening.catch(() => this.#opened.delete(path));
    return opening;
  }
}

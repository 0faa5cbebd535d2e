import { join, sep } from "node:path";
import type { FileCache } from "@longbox/sdk";
import { openFileCache, type LimitedFileCache } from "./file-cache.js";

/** The caches that have been opened: one object for each folder, so that two versions of a plugin keep one limit together. */
export class OwnerCaches {
  readonly #opened = new Map<string, Promise<LimitedFileCache>>();

  async open(folder: string, name: string, maxBytes: number): Promise<FileCache> {
    const path = join(folder, name);
    const existing = this.#opened.get(path);
    if (!existing) return this.#openFirst(path, maxBytes);
    const cache = await existing;
    await cache.limitTo(maxBytes);
    return cache;
  }

  forget(folder: string): void {
    for (const path of this.#opened.keys()) if (path.startsWith(folder + sep)) this.#opened.delete(path);
  }

  #openFirst(path: string, maxBytes: number): Promise<FileCache> {
    const opening = openFileCache(path, maxBytes);
    this.#opened.set(path, opening);
    opening.catch(() => this.#opened.delete(path));
    return opening;
  }
}

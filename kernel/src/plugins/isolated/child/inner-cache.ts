import { readFile, rm } from "node:fs/promises";
import type { FileCache } from "@longbox/sdk";
import type { Channel } from "../wire/channel.js";

interface ToldCache {
  readonly find: (key: string) => Promise<ToldFile>;
  readonly put: (key: string, bytes: Uint8Array) => Promise<ToldFile>;
  readonly remove: (key: string) => Promise<ToldFile>;
  readonly clear: () => Promise<ToldFile>;
  readonly sizeBytes: number;
}

interface ToldFile {
  readonly path: string | undefined;
  readonly sizeBytes: number;
}

/** A cache that the kernel keeps, so that its limit holds; its files are read here. */
export class InnerCache implements FileCache {
  readonly #told: ToldCache;
  readonly #making = new Map<string, Promise<string>>();
  #sizeBytes: number;

  private constructor(told: ToldCache) {
    this.#told = told;
    this.#sizeBytes = told.sizeBytes;
  }

  static async open(channel: Channel, name: string, maxBytes: number): Promise<InnerCache> {
    return new InnerCache((await channel.call("cache", [name, maxBytes])) as ToldCache);
  }

  async find(key: string): Promise<string | undefined> {
    return this.#take(await this.#told.find(key));
  }

  fetch(key: string, make: () => Promise<Uint8Array>): Promise<string> {
    let making = this.#making.get(key);
    if (!making) {
      making = this.#fetch(key, make).finally(() => this.#making.delete(key));
      this.#making.set(key, making);
    }
    return making;
  }

  /** Read here, since the kernel must not move whatever file the plugin names. */
  async take(key: string, path: string): Promise<string> {
    const kept = await this.fetch(key, () => readFile(path));
    await rm(path, { force: true });
    return kept;
  }

  async remove(key: string): Promise<void> {
    this.#take(await this.#told.remove(key));
  }

  async clear(): Promise<void> {
    this.#take(await this.#told.clear());
  }

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  async #fetch(key: string, make: () => Promise<Uint8Array>): Promise<string> {
    const found = await this.find(key);
    if (found !== undefined) return found;
    const made = this.#take(await this.#told.put(key, await make()));
    if (made === undefined) throw new Error(`The cache has not kept "${key}".`);
    return made;
  }

  #take({ path, sizeBytes }: ToldFile): string | undefined {
    this.#sizeBytes = sizeBytes;
    return path;
  }
}

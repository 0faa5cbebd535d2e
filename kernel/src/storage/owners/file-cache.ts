import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isLongboxError, type FileCache } from "@longbox/sdk";
import { cannotBeStored, translateStorageFault } from "../storage-fault.js";
import type { SpareFiles } from "./spare-files.js";

interface KeptFile {
  sizeBytes: number;
  usedAtMs: number;
}

/** How often a file's last use is written to disk; in between it is kept in memory. */
const touchEveryMs = 600_000;

/** What was cleared away. */
export interface Tidied {
  readonly files: number;
  readonly freedBytes: number;
}

/** A cache whose limit may be changed. */
export interface LimitedFileCache extends FileCache {
  limitTo(maxBytes: number): Promise<void>;
  /** Drops what was last used before a time, in milliseconds since 1970. */
  dropUnusedSince(timeMs: number): Promise<Tidied>;
}

/** Opens a cache folder; what is there from before is kept, in the order of its last use. */
export async function openFileCache(
  folder: string,
  { maxBytes, spare }: { readonly maxBytes: number; readonly spare?: SpareFiles },
): Promise<LimitedFileCache> {
  await mkdir(folder, { recursive: true });
  const cache = new FolderCache(folder, maxBytes, spare);
  await cache.load();
  return cache;
}

class FolderCache implements LimitedFileCache {
  readonly #folder: string;
  #maxBytes: number;
  /** By name, the file used longest ago first. */
  readonly #files = new Map<string, KeptFile>();
  readonly #making = new Map<string, Promise<string>>();
  #sizeBytes = 0;

  constructor(
    folder: string,
    maxBytes: number,
    private readonly spare: SpareFiles | undefined,
  ) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  async load(): Promise<void> {
    const found: Array<[string, KeptFile]> = [];
    for (const shard of await readdir(this.#folder)) found.push(...(await this.#loadShard(shard)));
    found.sort(([, one], [, other]) => one.usedAtMs - other.usedAtMs);
    for (const [name, file] of found) this.#remember(name, file);
    await this.#makeRoom();
  }

  async find(key: string): Promise<string | undefined> {
    const name = nameOf(key);
    const file = this.#files.get(name);
    if (!file) return undefined;
    return (await this.#use(name, file)) ? this.#pathOf(name, file.sizeBytes) : undefined;
  }

  fetch(key: string, make: () => Promise<Uint8Array>): Promise<string> {
    return this.#keepOnce(key, (name) => this.#make(name, make));
  }

  async take(key: string, path: string): Promise<string> {
    let moved: string | undefined;
    const kept = await this.#keepOnce(key, async (name) => {
      moved = await this.#move(name, path);
      return moved ?? this.#make(name, () => readFile(path));
    });
    if (kept !== moved) await rm(path, { force: true });
    return kept;
  }

  async remove(key: string): Promise<void> {
    await this.#drop(nameOf(key));
  }

  async clear(): Promise<void> {
    for (const name of [...this.#files.keys()]) await this.#drop(name);
  }

  async limitTo(maxBytes: number): Promise<void> {
    this.#maxBytes = maxBytes;
    await this.#makeRoom();
  }

  async dropUnusedSince(timeMs: number): Promise<Tidied> {
    const before = { files: this.#files.size, sizeBytes: this.#sizeBytes };
    for (const [name, file] of [...this.#files]) if (file.usedAtMs < timeMs) await this.#drop(name);
    return { files: before.files - this.#files.size, freedBytes: before.sizeBytes - this.#sizeBytes };
  }

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  async #keepOnce(key: string, keep: (name: string) => Promise<string>): Promise<string> {
    const name = nameOf(key);
    const kept = await this.find(key);
    if (kept) return kept;
    const making = this.#making.get(name) ?? keep(name).finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  async #make(name: string, make: () => Promise<Uint8Array>): Promise<string> {
    const bytes = await make();
    const path = this.#pathOf(name, bytes.byteLength);
    try {
      await this.#writeInRoom(path, bytes);
    } catch (fault) {
      const elsewhere = cannotBeStored(fault) ? await this.spare?.keep(basename(path), bytes) : undefined;
      if (elsewhere === undefined) throw fault;
      return elsewhere;
    }
    this.#remember(name, { sizeBytes: bytes.byteLength, usedAtMs: Date.now() });
    await this.#makeRoom(name);
    return path;
  }

  /** @returns nothing where it has to be copied */
  async #move(name: string, from: string): Promise<string | undefined> {
    const { size } = await stat(from);
    const path = this.#pathOf(name, size);
    try {
      await mkdir(dirname(path), { recursive: true });
      await rename(from, path);
    } catch {
      // Another disk, or a fault that copying meets as well, and tells.
      return undefined;
    }
    this.#remember(name, { sizeBytes: size, usedAtMs: Date.now() });
    await this.#makeRoom(name);
    return path;
  }

  /** On a full disk, the least recently used files are removed to make room for the requested one. */
  async #writeInRoom(path: string, bytes: Uint8Array): Promise<void> {
    for (;;) {
      try {
        return await writeWhole(path, bytes);
      } catch (fault) {
        const isFull = isLongboxError(fault) && fault.kind === "storage-full";
        if (!isFull || this.#files.size === 0) throw fault;
        await this.#dropOldest(bytes.byteLength);
      }
    }
  }

  /** Drops the files used longest ago, of so many bytes in all. */
  async #dropOldest(bytes: number): Promise<void> {
    const target = this.#sizeBytes - bytes;
    for (const name of [...this.#files.keys()]) {
      await this.#drop(name);
      if (this.#sizeBytes <= target) return;
    }
  }

  /** Drops the least recently used files until the rest fits. The newest file stays, even if it alone is too large. */
  async #makeRoom(justMade?: string): Promise<void> {
    for (const name of this.#files.keys()) {
      if (this.#sizeBytes <= this.#maxBytes) return;
      if (name !== justMade) await this.#drop(name);
    }
  }

  async #loadShard(shard: string): Promise<Array<[string, KeptFile]>> {
    const folder = join(this.#folder, shard);
    const names = await readdir(folder).catch(() => []);
    const kept: Array<[string, KeptFile]> = [];
    for (const name of names) {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      const [, key, writtenBytes] = /^([0-9a-f]{64})-(\d+)$/.exec(name) ?? [];
      // Removes unfinished files, and files that lost bytes in a power failure.
      if (key === undefined || Number(writtenBytes) !== size) await rm(path, { recursive: true, force: true });
      else kept.push([key, { sizeBytes: size, usedAtMs: mtimeMs }]);
    }
    return kept;
  }

  /** Marks a file as most recently used. False when the folder was emptied meanwhile. */
  async #use(name: string, file: KeptFile): Promise<boolean> {
    const now = new Date();
    const path = this.#pathOf(name, file.sizeBytes);
    try {
      if (now.getTime() - file.usedAtMs > touchEveryMs) await utimes(path, now, now);
      else await stat(path);
    } catch {
      this.#forget(name);
      return false;
    }
    const kept = this.#files.get(name);
    if (!kept) return false;
    this.#files.delete(name);
    this.#files.set(name, {
      sizeBytes: kept.sizeBytes,
      usedAtMs: now.getTime() - file.usedAtMs > touchEveryMs ? now.getTime() : file.usedAtMs,
    });
    return true;
  }

  async #drop(name: string): Promise<void> {
    const file = this.#files.get(name);
    this.#forget(name);
    if (file) await rm(this.#pathOf(name, file.sizeBytes), { force: true });
  }

  #remember(name: string, file: KeptFile): void {
    this.#forget(name);
    this.#files.set(name, file);
    this.#sizeBytes += file.sizeBytes;
  }

  #forget(name: string): void {
    this.#sizeBytes -= this.#files.get(name)?.sizeBytes ?? 0;
    this.#files.delete(name);
  }

  /** The name tells the size, so that a file that lost bytes is noticed after a restart. */
  #pathOf(name: string, sizeBytes: number): string {
    return join(this.#folder, name.slice(0, 2), `${name}-${sizeBytes}`);
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw translateStorageFault(fault, path);
  }
}

function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Of the system: the server's own temporary folder lies on the disk that is full. */
const systemFolder = tmpdir();
/** Of all caches together: enough for what is being read at the moment. */
const mostBytes = 64 * 1024 * 1024;

/**
 * A little space elsewhere for files that a cache cannot keep because its disk is full, so that reading works: in the
 * system's temporary folder, or in memory where the system provides a folder for it. The oldest file is removed first.
 */
export class SpareFiles {
  readonly #folders: readonly string[];
  readonly #kept = new Map<string, number>();
  #prepared: Promise<string[]> | undefined;

  /** @param of - What it is for, such as the path of the data folder: each has a folder of its own */
  constructor(of: string) {
    const name = `longbox-spare-${createHash("sha256").update(of).digest("hex").slice(0, 16)}`;
    this.#folders = [systemFolder, ...(process.platform === "linux" ? ["/dev/shm"] : [])].map((root) =>
      join(root, name),
    );
  }

  /** @returns the path; undefined where there is no room either */
  async keep(name: string, bytes: Uint8Array): Promise<string | undefined> {
    if (bytes.byteLength > mostBytes) return undefined;
    this.#prepared ??= prepare(this.#folders);
    for (const folder of await this.#prepared) {
      const path = join(folder, name);
      await this.#makeRoom(bytes.byteLength);
      try {
        await writeFile(path, bytes, { mode: 0o600 });
        this.#kept.set(path, bytes.byteLength);
        return path;
      } catch {
        await rm(path, { force: true });
      }
    }
    return undefined;
  }

  /** Removes leftovers of an earlier run that was killed. */
  async sweep(): Promise<void> {
    for (const folder of await prepare(this.#folders.filter((each) => existsSync(each))))
      await rm(folder, { recursive: true, force: true });
  }

  async release(): Promise<void> {
    if (this.#prepared === undefined) return;
    for (const folder of await this.#prepared) await rm(folder, { recursive: true, force: true });
  }

  async #makeRoom(bytes: number): Promise<void> {
    let total = bytes + [...this.#kept.values()].reduce((sum, size) => sum + size, 0);
    for (const [path, size] of this.#kept) {
      if (total <= mostBytes) return;
      this.#kept.delete(path);
      total -= size;
      await rm(path, { force: true });
    }
  }
}

/** Makes the folders, removes leftovers of earlier runs, and skips folders of other users. */
async function prepare(folders: readonly string[]): Promise<string[]> {
  const usable: string[] = [];
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const found = await lstat(folder);
      if (!found.isDirectory() || (process.getuid && found.uid !== userInfo().uid)) continue;
      await chmod(folder, 0o700);
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
      usable.push(folder);
    } catch {
      continue;
    }
  }
  return usable;
}

import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { LongboxError } from "@longbox/sdk";
import type { StorageDriver } from "../engines/driver.js";
import { makeFolder } from "../documents/durable-file.js";
import { OwnerFolder, sweepGone } from "./owner-folder.js";

/** The paths of each owner in the data folder. */
export class DataLayout {
  readonly folder: string;
  readonly #kernel: string;
  readonly #data: string;
  readonly #caches: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#kernel = join(folder, "kernel");
    this.#data = join(folder, "plugins", "data");
    this.#caches = join(folder, "plugins", "cache");
  }

  /** Everything that an owner keeps, in whatever state. */
  rootOf(owner: string): string {
    return owner === "kernel" ? this.#kernel : join(this.#data, checkedOwner(owner));
  }

  cachesOf(owner: string): string {
    return owner === "kernel" ? join(this.#kernel, "cache") : join(this.#caches, checkedOwner(owner));
  }

  /** The folder of the current data. The kernel's data has only one state. */
  async currentOf(owner: string): Promise<string> {
    return owner === "kernel" ? this.#kernel : this.statesOf(owner).current();
  }

  statesOf(owner: string): OwnerFolder {
    this.refuseKernel(owner);
    return new OwnerFolder(this.rootOf(owner));
  }

  refuseKernel(owner: string): void {
    if (owner === "kernel")
      throw new LongboxError(
        "internal",
        "kernel/not-a-plugin",
        "The kernel's own data is neither tried out nor purged.",
      );
  }

  /** All owners with stored data, the kernel first. */
  async owners(): Promise<string[]> {
    const plugins = (await readdir(this.#data)).filter((name) => isOwner(name) && existsSync(join(this.#data, name)));
    return ["kernel", ...plugins.sort()];
  }

  /** Whether any plugin has a database, in any state of its data. */
  async hasPluginDatabases(): Promise<boolean> {
    const names = await readdir(this.#data, { recursive: true }).catch(() => []);
    return names.some((name) => basename(name) === "database.sqlite");
  }

  /** All owners with caches, installed or not. */
  async cacheOwners(): Promise<string[]> {
    return ["kernel", ...(await readdir(this.#caches)).filter(isOwner).sort()];
  }

  /**
   * Makes the folders, and removes leftovers of interruptions.
   * @param given - gives up what else is kept of a state of the data, before the state's folder is removed
   * @param failed - hears of each owner whose leftovers cannot be removed: they stay, and the others go on
   */
  async recover(
    given: Pick<StorageDriver, "leave" | "drop">,
    failed: (owner: string, fault: unknown) => void,
  ): Promise<void> {
    await makeFolder(this.#kernel);
    await sweepGone(this.#data, (owner, gone) => this.#leaveAll(owner, { gone, given }), failed);
    await sweepGone(this.#caches);
    for (const owner of await this.owners()) {
      if (owner === "kernel") continue;
      try {
        await this.statesOf(owner).sweep((folder) => given.drop({ owner, folder }));
      } catch (fault) {
        failed(owner, fault);
      }
    }
  }

  /** Gives up what a folder that was set aside had elsewhere, unless the owner has such a state again. */
  async #leaveAll(owner: string, { gone, given }: { gone: OwnerFolder; given: Pick<StorageDriver, "leave"> }) {
    for (const state of await gone.states()) {
      const folder = join(this.rootOf(owner), state);
      if (!existsSync(folder)) await given.leave({ owner, folder });
    }
  }
}

function checkedOwner(owner: string): string {
  if (isOwner(owner)) return owner;
  throw new TypeError(`"${owner}" is not the id of a plugin.`);
}

function isOwner(name: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}

/** Bytes of the files in a folder; 0 where none is. */
export async function sizeOfTree(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        (file) => file.size,
        () => 0,
      );
  }
  return bytes;
}

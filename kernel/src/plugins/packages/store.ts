import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "@longbox/sdk";
import type { KeptVersion } from "../installed/lock-file.js";
import { readPluginPackage, type PluginOnDisk } from "./plugin-package.js";
import { inject, injectable } from "../../injection.js";
import { translateStorageFault } from "../../storage/storage-fault.js";
import { DataFolder } from "../../kernel-tokens.js";

/** The folder of unpacked packages. What is in it never changes; a new version is a new folder. */
@injectable()
export class PluginStore {
  readonly folder: string;
  readonly #staging: string;
  /** What isolated versions say of themselves, in one file each. */
  readonly #descriptions: string;

  constructor(@inject(DataFolder) dataFolder: string) {
    this.folder = path.join(dataFolder, "plugins", "store");
    this.#staging = path.join(dataFolder, "plugins", "staging");
    this.#descriptions = path.join(dataFolder, "plugins", "described");
  }

  /**
   * Makes the folders and removes what an interrupted install left. `kept` names the folders that the lock file knows.
   */
  async open(kept: ReadonlySet<string>): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
    await mkdir(this.#staging, { recursive: true });
    await mkdir(this.folder, { recursive: true });
    await mkdir(this.#descriptions, { recursive: true });
    for (const name of await readdir(this.folder))
      if (!kept.has(name)) await rm(path.join(this.folder, name), { recursive: true, force: true });
    for (const file of await readdir(this.#descriptions))
      if (!kept.has(path.parse(file).name)) await rm(path.join(this.#descriptions, file), { force: true });
  }

  /** A new folder in which a package may be put together. */
  async stage(): Promise<{ folder: string; discard(): Promise<void> }> {
    const folder = path.join(this.#staging, randomUUID());
    await mkdir(folder, { recursive: true }).catch((fault: unknown) => {
      throw translateStorageFault(fault, folder);
    });
    return { folder, discard: () => rm(folder, { recursive: true, force: true }) };
  }

  /** The name of a version's folder. */
  folderName(id: string, version: string, hash: string): string {
    return `${id}@${version}-${hash}`;
  }

  /** The file with what a version says of itself; it goes with the version. */
  descriptionOf(name: string): string {
    return path.join(this.#descriptions, `${name}.json`);
  }

  /** Moves an unpacked package to its place in one step. A folder that is there already holds the same bytes. */
  async keep(unpacked: string, name: string): Promise<void> {
    try {
      await rename(unpacked, path.join(this.folder, name));
    } catch (failure) {
      if (!["ENOTEMPTY", "EEXIST"].includes((failure as NodeJS.ErrnoException).code ?? "")) throw failure;
      return;
    }
    const folder = await open(this.folder, "r");
    await folder.sync().finally(() => folder.close());
  }

  /** Takes a version away in one step, so that a part of it is never found. */
  async remove(name: string): Promise<void> {
    const aside = path.join(this.#staging, randomUUID());
    await rename(path.join(this.folder, name), aside).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== "ENOENT") throw failure;
    });
    await rm(aside, { recursive: true, force: true });
    await rm(this.descriptionOf(name), { force: true });
  }

  async has(name: string): Promise<boolean> {
    return (await unlessMissing(stat(path.join(this.folder, name)))) !== undefined;
  }

  read(kept: Pick<KeptVersion, "folder">): Promise<PluginOnDisk> {
    return readPluginPackage(path.join(this.folder, kept.folder), { hash: hashIn(kept.folder), linked: false });
  }

  /** The place of a package that was read elsewhere, once it has been moved here. */
  async placed(plugin: PluginOnDisk, name: string): Promise<PluginOnDisk> {
    return { ...plugin, folder: path.join(await realpath(this.folder), name) };
  }

  /** Bytes of a version's files. */
  sizeBytes(name: string): Promise<number> {
    return folderBytes(path.join(this.folder, name));
  }
}

function hashIn(folder: string): string {
  return folder.slice(folder.lastIndexOf("-") + 1);
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(path.join(entry.parentPath, entry.name)).then((found) => found.size)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

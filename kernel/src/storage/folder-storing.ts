import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, stat } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import { Conflict, LongboxError, NotFound, type FileCache, type Logger } from "@longbox/sdk";
import type { StorageDriver } from "./driver.js";
import { syncTree } from "./durable-file.js";
import { openFileCache, type LimitedFileCache } from "./file-cache.js";
import { OwnerFolder, removeWhole, sweepGone } from "./owner-folder.js";
import { databasePath, OwnerStorage } from "./owner-storage.js";
import { SharedDatabases } from "./shared-databases.js";
import { translateStorageFault } from "./storage-fault.js";
import type { OpenStorage, Storing, TrialData } from "./storing.js";

export interface StoringOptions {
  /** The data folder of the server. */
  readonly folder: string;
  readonly log: Logger;
}

/** Storage in folders: one for the kernel, one for each plugin's data, one for each plugin's caches. */
export class FolderStoring implements Storing {
  readonly #log: Logger;
  readonly #driver: StorageDriver;
  readonly #databases: SharedDatabases;
  readonly #kernelFolder: string;
  readonly #dataFolder: string;
  readonly #cacheFolder: string;
  readonly #open = new Map<string, Set<OwnerStorage>>();
  readonly #caches = new Map<string, Promise<LimitedFileCache>>();
  readonly #trials = new Set<string>();
  readonly #ready: Promise<void>;

  constructor(options: StoringOptions, driver: StorageDriver) {
    this.#log = options.log;
    this.#driver = driver;
    this.#databases = new SharedDatabases(driver);
    this.#kernelFolder = join(options.folder, "kernel");
    this.#dataFolder = join(options.folder, "plugins", "data");
    this.#cacheFolder = join(options.folder, "plugins", "cache");
    this.#ready = this.#recover();
    // Whoever asks first hears of it; nobody may have asked yet.
    this.#ready.catch(() => undefined);
  }

  async open(owner: string): Promise<OpenStorage> {
    await this.#ready;
    return this.#openAt(owner, await this.#currentFolder(owner));
  }

  async exists(owner: string): Promise<boolean> {
    await this.#ready;
    return existsSync(this.#rootOf(owner));
  }

  async sizeBytes(owner: string): Promise<number> {
    await this.#ready;
    return (await sizeOfTree(this.#rootOf(owner))) + (await sizeOfTree(this.#cacheRootOf(owner)));
  }

  async purge(owner: string): Promise<void> {
    await this.#ready;
    this.#refuseKernel(owner);
    if (this.#trials.has(owner)) throw trialRunning(owner);
    for (const storage of [...(this.#open.get(owner) ?? [])]) await storage.release();
    await this.#forgetCaches(owner);
    await removeWhole(this.#dataFolder, owner);
    await removeWhole(this.#cacheFolder, owner);
  }

  async hasPrevious(owner: string): Promise<boolean> {
    await this.#ready;
    const folder = this.#ownerFolder(owner);
    const { previous } = await folder.pointer();
    return previous !== undefined && existsSync(folder.generation(previous));
  }

  async restorePrevious(owner: string): Promise<void> {
    await this.#ready;
    if (this.#trials.has(owner)) throw trialRunning(owner);
    const folder = this.#ownerFolder(owner);
    const { current, previous } = await folder.pointer();
    if (previous === undefined || !existsSync(folder.generation(previous))) throw new NotFound("kernel/no-previous-data", `Of "${owner}" no earlier data is kept.`);
    const hold = await this.#hold(owner, folder.generation(current));
    try {
      await folder.point({ current: previous, previous: current });
      await this.#moveOpen(owner, folder.generation(previous), undefined);
    } finally {
      await hold();
    }
  }

  async trial(owner: string): Promise<TrialData> {
    await this.#ready;
    if (this.#trials.has(owner)) throw trialRunning(owner);
    this.#trials.add(owner);
    try {
      return await this.#startTrial(owner);
    } catch (fault) {
      this.#trials.delete(owner);
      throw translateStorageFault(fault, this.#rootOf(owner));
    }
  }

  async release(): Promise<void> {
    for (const storages of this.#open.values()) for (const storage of [...storages]) await storage.release();
    await this.#driver.release();
  }

  async #startTrial(owner: string): Promise<TrialData> {
    const folder = this.#ownerFolder(owner);
    const former = (await folder.pointer()).current;
    const live = folder.generation(former);
    const next = await folder.nextName();
    const target = folder.generation(next);
    const hold = await this.#hold(owner, live);
    try {
      await this.#copy(live, target);
      const storage = await this.#openAt(owner, target);
      return this.#trialData({ owner, folder, former, next, storage, hold });
    } catch (fault) {
      await hold();
      await rm(target, { recursive: true, force: true });
      throw fault;
    }
  }

  #trialData(trial: { owner: string; folder: OwnerFolder; former: string; next: string; storage: OwnerStorage; hold: () => Promise<void> }): TrialData {
    const { owner, folder, former, next, storage, hold } = trial;
    let ended = false;
    const end = async (how: () => Promise<void>) => {
      if (ended) return;
      ended = true;
      try {
        await how();
      } finally {
        await hold();
        this.#trials.delete(owner);
      }
    };
    return {
      storage,
      adopt: () =>
        end(async () => {
          const target = folder.generation(next);
          await syncTree(target);
          await folder.point({ current: next, previous: former });
          await this.#moveOpen(owner, target, storage);
        }).then(() => folder.sweep()),
      discard: () => end(() => storage.release()).then(() => rm(folder.generation(next), { recursive: true, force: true })),
    };
  }

  /** Makes everything that is open of this owner go on with the data in another folder. */
  async #moveOpen(owner: string, folder: string, like: OwnerStorage | undefined): Promise<void> {
    for (const storage of this.#open.get(owner) ?? []) {
      if (storage !== like) await storage.moveTo(folder, like);
    }
  }

  /** Lets nothing be written to the owner's database and documents until the given function is called. */
  async #hold(owner: string, folder: string): Promise<() => Promise<void>> {
    const frees: Array<() => void> = [];
    for (const storage of this.#open.get(owner) ?? []) frees.push(await storage.holdDocuments());
    if (!existsSync(databasePath(folder)) && !this.#databases.has(databasePath(folder))) return async () => frees.forEach((free) => free());
    const shared = await this.#databases.enter(databasePath(folder));
    frees.push(await shared.turnstile.enter());
    return async () => {
      for (const free of frees) free();
      await this.#databases.leave(shared);
    };
  }

  /** Call while the owner is held. */
  async #copy(from: string, to: string): Promise<void> {
    await mkdir(to, { recursive: true, mode: 0o700 });
    const shared = this.#databases.has(databasePath(from)) ? await this.#databases.enter(databasePath(from)) : undefined;
    if (shared) {
      await this.#driver.copy(shared.engine, databasePath(from), databasePath(to));
      // Whoever holds the database has it open too, so this can never be the last to leave, which would wait for the hold.
      await this.#databases.leave(shared);
    }
    for (const part of ["documents", "files", "indexes"]) {
      if (existsSync(join(from, part))) await cp(join(from, part), join(to, part), { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE });
    }
  }

  async #openAt(owner: string, folder: string): Promise<OwnerStorage> {
    const storages = this.#open.get(owner) ?? new Set();
    this.#open.set(owner, storages);
    const storage = await OwnerStorage.open({
      owner,
      folder,
      driver: this.#driver,
      databases: this.#databases,
      log: this.#log,
      openCache: (name, maxBytes) => this.#openCache(join(this.#cacheRootOf(owner), name), maxBytes),
      released: (released) => storages.delete(released),
    });
    storages.add(storage);
    return storage;
  }

  /** One object for each cache folder, so that two versions of a plugin keep one limit together. */
  async #openCache(path: string, maxBytes: number): Promise<FileCache> {
    const existing = this.#caches.get(path);
    if (existing) {
      const cache = await existing;
      await cache.limitTo(maxBytes);
      return cache;
    }
    const opening = openFileCache(path, maxBytes);
    this.#caches.set(path, opening);
    opening.catch(() => this.#caches.delete(path));
    return opening;
  }

  async #forgetCaches(owner: string): Promise<void> {
    const root = this.#cacheRootOf(owner);
    for (const path of this.#caches.keys()) if (path.startsWith(`${root}/`)) this.#caches.delete(path);
  }

  async #recover(): Promise<void> {
    await mkdir(this.#kernelFolder, { recursive: true, mode: 0o700 });
    await sweepGone(this.#dataFolder);
    await sweepGone(this.#cacheFolder);
    for (const owner of await readdir(this.#dataFolder)) await new OwnerFolder(join(this.#dataFolder, owner)).sweep();
  }

  async #currentFolder(owner: string): Promise<string> {
    return owner === "kernel" ? this.#kernelFolder : this.#ownerFolder(owner).current();
  }

  #ownerFolder(owner: string): OwnerFolder {
    this.#refuseKernel(owner);
    return new OwnerFolder(this.#rootOf(owner));
  }

  #rootOf(owner: string): string {
    return owner === "kernel" ? this.#kernelFolder : join(this.#dataFolder, checkedOwner(owner));
  }

  #cacheRootOf(owner: string): string {
    return owner === "kernel" ? join(this.#kernelFolder, "cache") : join(this.#cacheFolder, checkedOwner(owner));
  }

  #refuseKernel(owner: string): void {
    if (owner === "kernel") throw new LongboxError("internal", "kernel/not-a-plugin", "The kernel's own data is neither tried out nor purged.");
  }
}

function checkedOwner(owner: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(owner)) return owner;
  throw new TypeError(`"${owner}" is no id of a plugin.`);
}

function trialRunning(owner: string): Conflict {
  return new Conflict("kernel/trial-running", `Another version of "${owner}" is being tried out.`);
}

async function sizeOfTree(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile()) bytes += await stat(join(entry.parentPath, entry.name)).then((file) => file.size, () => 0);
  }
  return bytes;
}

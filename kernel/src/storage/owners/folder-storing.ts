import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { Conflict, NotFound, type Logger } from "@longbox/sdk";
import { DataLayout, sizeOfTree } from "./data-layout.js";
import { returned } from "./data-pointer.js";
import type { StorageDriver } from "../engines/driver.js";
import type { Tidied } from "./file-cache.js";
import { OpenStorages } from "./open-storages.js";
import { OwnerCaches } from "./owner-caches.js";
import { setAside } from "./owner-folder.js";
import { OwnerStorage } from "./owner-storage.js";
import { SpareFiles } from "./spare-files.js";
import { SharedDatabases } from "../engines/shared-databases.js";
import { translateStorageFault } from "../storage-fault.js";
import { takeSnapshot } from "./storage-snapshot.js";
import type { LeftData, OpenStorage, StorageSnapshot, Storing, TrialData } from "../storing.js";
import { sweepBeside, TemporaryPlaces } from "./temporary-places.js";
import { keepWithinRoom } from "./room-for-states.js";
import { startTrial } from "./trial.js";

/** Hears of each query: whose it is, its statement without values, and how many milliseconds it ran. */
export type QueryListener = (owner: string, sql: string, milliseconds: number) => void;

export interface StoringOptions {
  /** The data folder of the server. */
  readonly folder: string;
  readonly log: Logger;
  /** Another process serves from this folder, so leftovers are not removed: they may be in use. */
  readonly shared?: boolean;
  readonly queried?: QueryListener;
}

/** Storage in folders: one for the kernel, one for each plugin's data, one for each plugin's caches. */
export class FolderStoring implements Storing {
  readonly #log: Logger;
  readonly #queried: QueryListener | undefined;
  readonly #driver: StorageDriver;
  readonly #databases: SharedDatabases;
  readonly #layout: DataLayout;
  readonly #open: OpenStorages;
  readonly #spare: SpareFiles;
  readonly #caches: OwnerCaches;
  readonly #temporary: TemporaryPlaces;
  readonly #trials = new Set<string>();
  readonly #ready: Promise<void>;

  constructor(options: StoringOptions, driver: StorageDriver) {
    this.#log = options.log;
    this.#queried = options.queried;
    this.#driver = driver;
    this.#databases = new SharedDatabases(driver);
    this.#layout = new DataLayout(options.folder);
    this.#open = new OpenStorages(this.#databases);
    this.#spare = new SpareFiles(options.folder);
    this.#caches = new OwnerCaches(this.#spare);
    this.#temporary = new TemporaryPlaces(options.folder);
    this.#ready = options.shared ? Promise.resolve() : this.#recover();
    // The first caller gets the error; there may be no caller yet.
    this.#ready.catch(() => undefined);
  }

  async open(owner: string): Promise<OpenStorage> {
    await this.#ready;
    return this.#openAt(owner, await this.#layout.currentOf(owner));
  }

  async exists(owner: string): Promise<boolean> {
    await this.#ready;
    return existsSync(this.#layout.rootOf(owner));
  }

  async sizeBytes(owner: string): Promise<number> {
    await this.#ready;
    return (await sizeOfTree(this.#layout.rootOf(owner))) + (await sizeOfTree(this.#layout.cachesOf(owner)));
  }

  async usage(): Promise<{ name: string; sizeBytes: number }[]> {
    await this.#ready;
    const sizes: { name: string; sizeBytes: number }[] = [];
    const owners = new Set([...(await this.#layout.owners()), ...(await this.#layout.cacheOwners())]);
    for (const owner of owners) {
      const cached = await sizeOfTree(this.#layout.cachesOf(owner));
      // The kernel's caches lie inside of its folder.
      const data = (await sizeOfTree(this.#layout.rootOf(owner))) - (owner === "kernel" ? cached : 0);
      sizes.push({ name: `data of ${owner}`, sizeBytes: data }, { name: `cache of ${owner}`, sizeBytes: cached });
    }
    sizes.push({ name: "temporary files", sizeBytes: await sizeOfTree(this.#temporary.folder) });
    sizes.push({ name: "backups", sizeBytes: await sizeOfTree(join(this.#layout.folder, "backups")) });
    sizes.push({
      name: "plugin packages",
      sizeBytes: await sizeOfTree(join(this.#layout.folder, "plugins", "store")),
    });
    return sizes.filter(({ sizeBytes }) => sizeBytes > 0).sort((one, other) => other.sizeBytes - one.sizeBytes);
  }

  async purge(owner: string): Promise<void> {
    await this.#ready;
    this.#layout.refuseKernel(owner);
    this.#refuseDuringTrial(owner);
    for (const storage of this.#open.of(owner)) await storage.release();
    this.#caches.forget(this.#layout.cachesOf(owner));
    const states = this.#layout.statesOf(owner);
    const places = (await states.states()).map((name) => ({ owner, folder: states.generation(name) }));
    const gone = [await setAside(this.#layout.rootOf(owner)), await setAside(this.#layout.cachesOf(owner))];
    // What a state has elsewhere is noted while a folder still tells of it: then an interruption leaves nothing.
    for (const place of places) await this.#driver.leave(place);
    for (const folder of gone) await rm(folder, { recursive: true, force: true });
    for (const place of places) await this.#driver.drop(place);
  }

  /** Removes leftovers of a killed process. */
  async #recover(): Promise<void> {
    await this.#temporary.sweep();
    await sweepBeside(this.#layout.folder);
    await this.#spare.sweep();
    await rm(join(this.#layout.cachesOf("kernel"), "answers"), { recursive: true, force: true });
    await this.#layout.recover(this.#driver, (owner, fault) =>
      this.#log.error(
        `What an interruption left of the data of "${owner}" cannot be removed, and is tried again at the next start: ${String(fault)}`,
        { owner },
      ),
    );
  }

  async hasPrevious(owner: string): Promise<boolean> {
    await this.#ready;
    const states = this.#layout.statesOf(owner);
    const { previous } = await states.pointer();
    return previous !== undefined && existsSync(states.generation(previous));
  }

  async restorePrevious(owner: string): Promise<string> {
    if (!(await this.hasPrevious(owner)))
      throw new NotFound("kernel/no-previous-data", `Of "${owner}" no earlier data is kept.`);
    this.#refuseDuringTrial(owner);
    const states = this.#layout.statesOf(owner);
    const pointer = await states.pointer();
    const { current, previous } = pointer as { current: string; previous: string };
    const hold = await this.#open.hold(owner, states.generation(current));
    try {
      await states.point(returned(pointer, previous));
      await this.#open.move(owner, states.generation(previous));
    } finally {
      await hold.release();
    }
    return relative(this.#layout.folder, states.generation(current));
  }

  async leftData(owner: string): Promise<LeftData[]> {
    await this.#ready;
    const states = this.#layout.statesOf(owner);
    const { left = [] } = await states.pointer();
    return left.filter(({ state }) => existsSync(states.generation(state))).map(({ version, at }) => ({ version, at }));
  }

  async trial(owner: string, of?: string): Promise<TrialData> {
    await this.#ready;
    this.#refuseDuringTrial(owner);
    this.#trials.add(owner);
    const states = this.#layout.statesOf(owner);
    try {
      return await startTrial({
        owner,
        states,
        source: of === undefined ? undefined : await this.#stateLeftBy(owner, of),
        folder: this.#layout.folder,
        open: this.#open,
        driver: this.#driver,
        log: this.#log,
        openAt: (folder) => this.#openAt(owner, folder),
        sweep: async () => {
          await keepWithinRoom(states);
          await states.sweep((folder) => this.#driver.drop({ owner, folder }));
        },
        ended: () => this.#trials.delete(owner),
      });
    } catch (fault) {
      this.#trials.delete(owner);
      throw translateStorageFault(fault, this.#layout.rootOf(owner));
    }
  }

  /** The version may have its data already: a start goes on with what was interrupted. */
  async #stateLeftBy(owner: string, version: string): Promise<string> {
    const states = this.#layout.statesOf(owner);
    const pointer = await states.pointer();
    if (pointer.version === version) return pointer.current;
    const found = pointer.left?.find((left) => left.version === version)?.state;
    if (found !== undefined && existsSync(states.generation(found))) return found;
    throw new NotFound("kernel/no-previous-data", `Of "${owner}" ${version} no data is kept.`);
  }

  async tidyCaches(unusedSince: Date): Promise<Tidied> {
    await this.#ready;
    let [files, freedBytes] = [0, 0];
    for (const owner of await this.#layout.cacheOwners()) {
      const tidied = await this.#caches.tidy(this.#layout.cachesOf(owner), unusedSince.getTime());
      files += tidied.files;
      freedBytes += tidied.freedBytes;
    }
    return { files, freedBytes };
  }

  async snapshot(): Promise<StorageSnapshot> {
    await this.#ready;
    return takeSnapshot(this.#layout, this.#open, this.#driver);
  }

  async release(): Promise<void> {
    for (const storage of this.#open.all()) await storage.release();
    await this.#driver.release();
    await this.#spare.release();
  }

  async #openAt(owner: string, folder: string): Promise<OwnerStorage> {
    const storage = await OwnerStorage.open({
      owner,
      folder,
      driver: this.#driver,
      databases: this.#databases,
      log: this.#log,
      queried: this.#queried,
      temporary: this.#temporary,
      openCache: (name, maxBytes) => this.#caches.open(this.#layout.cachesOf(owner), name, maxBytes),
      released: (released) => this.#open.remove(owner, released),
    });
    this.#open.add(owner, storage);
    return storage;
  }

  #refuseDuringTrial(owner: string): void {
    if (this.#trials.has(owner))
      throw new Conflict("kernel/trial-running", `Another version of "${owner}" is being tried out.`);
  }
}

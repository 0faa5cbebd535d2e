import { createWriteStream, existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Conflict, type Logger, type PluginSettings } from "@longbox/sdk";
import { create as createTar } from "tar";
import { syncPath, TemporaryPlaces, translateStorageFault, type Storing } from "../storage/index.js";
import { describeFiles, manifestName, type BackupManifest } from "./backup-manifest.js";
import { BackupNotFound } from "./backup-errors.js";
import type { BackupSettings } from "./backup-settings.js";
import { prepareRestore } from "./restoring-at-start.js";
import { inject, injectable, token } from "../injection.js";

export interface Backup {
  /** The file's name in the backups folder. */
  readonly name: string;
  readonly createdAt: string;
  readonly sizeBytes: number;
}

export interface BackupsOptions {
  /** The data folder. */
  readonly folder: string;
  readonly storing: Storing;
  readonly settings: Pick<PluginSettings<BackupSettings>, "current">;
  readonly log: Logger;
  /** The server's version, for the manifest. */
  readonly version: string;
  readonly changed?: () => void;
}
export const BackupsOptions = token<BackupsOptions>("options of backups");

/** Small files beside the storage that a server cannot be put back without, and the packages of its plugins. */
const documents = ["settings.json", "plugins.lock.json"];
const packages = join("plugins", "store");

/** Backups of everything that must last, made while the server serves. */
@injectable()
export class Backups {
  readonly #options: BackupsOptions;
  #running = false;

  constructor(@inject(BackupsOptions) options: BackupsOptions) {
    this.#options = options;
  }

  get folder(): string {
    return join(this.#options.folder, "backups");
  }

  /**
   * Makes a backup in the backups folder, and drops the oldest beyond the number to be kept.
   * @throws {LongboxError} `kernel/backup-running`, `kernel/storage-full`
   */
  async create(): Promise<Backup> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `longbox-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.tar.gz`;
    const backup = await this.createAt(join(this.folder, name));
    await this.#dropOldest();
    this.#options.changed?.();
    return backup;
  }

  /** Makes a backup as a file of this path, which must not exist. */
  async createAt(path: string): Promise<Backup> {
    if (this.#running) throw new Conflict("kernel/backup-running", "A backup is being made already.");
    if (existsSync(path)) throw new Conflict("kernel/backup-exists", `${path} is there already.`);
    this.#running = true;
    try {
      return await this.#make(path);
    } catch (fault) {
      throw translateStorageFault(fault, path);
    } finally {
      this.#running = false;
    }
  }

  /** The kept backups, the newest first. */
  async list(): Promise<Backup[]> {
    const names = await readdir(this.folder).catch(() => []);
    const backups = await Promise.all(
      names.filter((name) => /^longbox-.+\.tar\.gz$/.test(name)).map((name) => describe(join(this.folder, name))),
    );
    return backups.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  }

  /** A kept backup. @throws {BackupNotFound} */
  async get(name: string): Promise<Backup> {
    const backup = (await this.list()).find((kept) => kept.name === name);
    if (backup === undefined) throw new BackupNotFound();
    return backup;
  }

  /** Deletes a kept backup. @returns its size in bytes; undefined when there is none of this name */
  async remove(name: string): Promise<number | undefined> {
    const backup = (await this.list()).find((kept) => kept.name === name);
    if (backup === undefined) return undefined;
    await rm(join(this.folder, backup.name), { force: true });
    this.#options.changed?.();
    return backup.sizeBytes;
  }

  /**
   * Checks a kept backup, which then takes the place of the data at the next start.
   * @throws {LongboxError} `kernel/backup-not-found`, `kernel/backup-damaged`, `kernel/storage-full`
   */
  async prepareRestore(name: string): Promise<BackupManifest> {
    const backup = await this.get(name);
    const manifest = await prepareRestore(this.#options.folder, join(this.folder, backup.name));
    this.#options.log.warn("A backup replaces the data at the next start.", { name });
    return manifest;
  }

  async #make(path: string): Promise<Backup> {
    const beside = await new TemporaryPlaces(this.#options.folder).beside(path);
    const staging = beside.path;
    const started = performance.now();
    try {
      await this.#stage(join(staging, "data"));
      await pack(staging, path);
    } finally {
      await beside.release();
    }
    const backup = await describe(path);
    this.#options.log.info("A backup was made.", {
      path,
      sizeBytes: backup.sizeBytes,
      tookMs: Math.round(performance.now() - started),
    });
    return backup;
  }

  async #stage(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const snapshot = await this.#options.storing.snapshot();
    try {
      for (const name of documents) await copyIfThere(join(this.#options.folder, name), join(folder, name));
      await snapshot.copyTo(folder);
      if (existsSync(join(this.#options.folder, packages)))
        await cp(join(this.#options.folder, packages), join(folder, packages), {
          recursive: true,
          verbatimSymlinks: true,
        });
    } finally {
      await snapshot.release();
    }
    const manifest: BackupManifest = {
      format: 1,
      version: this.#options.version,
      createdAt: new Date().toISOString(),
      owners: [...snapshot.owners],
      files: await describeFiles(folder),
    };
    await writeFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 2));
  }

  async #dropOldest(): Promise<void> {
    const beyond = (await this.list()).slice(this.#options.settings.current.keep);
    for (const { name } of beyond) await rm(join(this.folder, name), { force: true });
    if (beyond.length > 0)
      this.#options.log.info("Old backups were removed.", { names: beyond.map((each) => each.name) });
  }
}

/** Packs a staged copy. Under its name, the file is there whole or not at all. */
async function pack(staging: string, path: string): Promise<void> {
  const data = join(staging, "data");
  const temporary = join(staging, "packed");
  // The manifest goes first, so that a reader knows what to expect.
  const names = (await readdir(data)).filter((name) => name !== manifestName);
  await pipeline(
    createTar({ cwd: data, gzip: { level: 6 }, portable: true }, [manifestName, ...names]),
    createWriteStream(temporary, { mode: 0o600, flags: "wx" }),
  );
  await syncPath(temporary);
  await rename(temporary, path);
  await syncPath(dirname(path));
}

async function describe(path: string): Promise<Backup> {
  const { size, mtime } = await stat(path);
  return { name: basename(path), createdAt: mtime.toISOString(), sizeBytes: size };
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
}

// Backups of a data folder: made, checked, listed, removed, and prepared to be restored.
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Conflict, type Logger, type PluginSettings } from "@longbox/sdk";
import { TemporaryPlaces, translateStorageFault, type Storing } from "../storage/index.js";
import type { BackupManifest } from "./backup-manifest.js";
import { BackupNotFound } from "./backup-errors.js";
import type { BackupSettings } from "./backup-settings.js";
import { checkMade } from "./checking.js";
import { outdated } from "./keeping.js";
import { pack, publish, stage } from "./packing.js";
import { restoreBackup } from "./restoring.js";
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
   * Makes a backup in the backups folder, checks it by restoring it for a trial, and drops those that are no longer to
   * be kept.
   * @throws {LongboxError} `kernel/backup-running`, `kernel/backup-not-whole`, `kernel/storage-full`: then the older
   *   ones stay
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

  /**
   * Restores a kept backup into a folder that is removed afterwards: every file and database of it is read.
   * @throws {LongboxError} `kernel/backup-not-found`, `kernel/backup-damaged`, `kernel/storage-full`
   */
  async check(name: string): Promise<BackupManifest> {
    const backup = await this.get(name);
    const beside = await new TemporaryPlaces(this.#options.folder).beside(join(this.folder, backup.name));
    try {
      return await restoreBackup(join(this.folder, backup.name), beside.path);
    } finally {
      await beside.release();
    }
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
    const started = performance.now();
    try {
      const manifest = await stage(this.#options, join(beside.path, "data"));
      const packed = await pack(join(beside.path, "data"), beside.path);
      // The copy has done its work; the room that it takes is needed for the trial.
      await rm(join(beside.path, "data"), { recursive: true, force: true });
      await checkMade(packed, join(beside.path, "trial"), manifest);
      await publish(packed, path);
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

  /** Removes those beyond the number and the age to be kept; the newest stays, however old it is. */
  async #dropOldest(): Promise<void> {
    const beyond = outdated(await this.list(), this.#options.settings.current);
    for (const { name } of beyond) await rm(join(this.folder, name), { force: true });
    if (beyond.length > 0)
      this.#options.log.info("Old backups were removed.", { names: beyond.map((each) => each.name) });
  }
}

async function describe(path: string): Promise<Backup> {
  const { size, mtime } = await stat(path);
  return { name: basename(path), createdAt: mtime.toISOString(), sizeBytes: size };
}

import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "../storage/index.js";
import type { BackupManifest } from "./backup-manifest.js";
import { restoreBackup } from "./restoring.js";

/** A backup while it is unpacked and checked. */
const checked = "restore-checked";
/** A checked backup that takes the place of the data at the next start. */
const waiting = "restore-waiting";
/** The same, once all that it replaces has been moved away. */
const moving = "restore-moving";
/** What the last restored backup replaced. */
const replaced = "replaced";
/**
 * What a backup replaces. The rest of the data folder stays: other backups, logs, the registry, locks. No backup holds
 * `installation.json`, which would refuse its databases as older than those used last, or `database.json`, which names
 * the schemas of the former databases; both files are written again at the start.
 */
const parts = ["installation.json", "database.json", "kernel", "plugins", "settings.json", "plugins.lock.json"];

/**
 * Unpacks a backup into the data folder and checks it. It takes effect at the next start.
 * @throws {LongboxError} `kernel/backup-damaged`, `kernel/storage-full`: then nothing is changed
 */
export async function prepareRestore(folder: string, archive: string): Promise<BackupManifest> {
  await rm(join(folder, checked), { recursive: true, force: true });
  const manifest = await restoreBackup(archive, join(folder, checked));
  for (const former of [replaced, waiting]) await rm(join(folder, former), { recursive: true, force: true });
  await rename(join(folder, checked), join(folder, waiting));
  await syncPath(folder);
  return manifest;
}

/**
 * Puts a prepared backup into place, before anything of the data folder is open. What it replaces is kept in
 * `replaced`, without caches, until the next one. A process that is killed meanwhile goes on with it at the next start:
 * nothing of the backup is moved into place before everything that it replaces has been moved away.
 * @returns whether there was one
 */
export async function finishRestore(folder: string): Promise<boolean> {
  if (existsSync(join(folder, waiting))) await clearTheWay(folder);
  if (!existsSync(join(folder, moving))) return false;
  for (const name of await readdir(join(folder, moving))) await rename(join(folder, moving, name), join(folder, name));
  await syncPath(folder);
  await rm(join(folder, moving), { recursive: true });
  return true;
}

async function clearTheWay(folder: string): Promise<void> {
  await mkdir(join(folder, replaced), { recursive: true, mode: 0o700 });
  for (const name of parts.filter((part) => existsSync(join(folder, part))))
    await rename(join(folder, name), join(folder, replaced, name));
  await rm(join(folder, replaced, "plugins", "cache"), { recursive: true, force: true });
  await syncPath(folder);
  await rename(join(folder, waiting), join(folder, moving));
}

// The commands that work without a server.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { backUpFolder, restoreBackup, unsealed } from "./backup/index.js";
import type { KernelOptions } from "./kernel-options.js";
import { acceptData, acceptSchemas, lockDataFolder, sweepBeside, temporaryBeside } from "./storage/index.js";
import { ServerLog } from "./logging/server-log.js";
import { kernelVersion } from "./versions.js";

/** Writes a backup of a data folder, whether a server runs on it or not. */
export async function backUp(options: KernelOptions, file: string): Promise<void> {
  const backup = await backUpFolder(options.dataFolder, path.resolve(file), {
    log: new ServerLog({ level: "warn" }).logger("backup"),
    version: kernelVersion,
    storage: options.storage,
  });
  process.stderr.write(`${file}: ${backup.sizeBytes} bytes\n`);
}

/** Puts a backup into the data folder, which must be empty or missing. `LONGBOX_BACKUP_PASSPHRASE` decrypts it. */
export async function restore(options: KernelOptions, file: string): Promise<void> {
  const archive = path.resolve(file);
  const beside = `${path.resolve(options.dataFolder)}.decrypted`;
  await sweepBeside(beside);
  const sealing = { passphrase: process.env["LONGBOX_BACKUP_PASSPHRASE"] };
  const plain = existsSync(archive) ? await unsealed(archive, temporaryBeside(beside), sealing) : archive;
  try {
    await restoreFrom(plain, options.dataFolder);
  } finally {
    if (plain !== archive) await rm(plain, { force: true });
  }
}

async function restoreFrom(archive: string, folder: string): Promise<void> {
  const manifest = await restoreBackup(archive, folder);
  process.stderr.write(`${folder}: restored ${manifest.files.length} files of ${manifest.createdAt}\n`);
}

/** Takes the databases of a data folder as they are, after one was lost or put in place by hand. No server may run on it. */
export async function accept({ dataFolder, storage }: KernelOptions): Promise<void> {
  const lock = lockDataFolder(dataFolder);
  try {
    const accepted = await (typeof storage === "object" ? acceptSchemas : acceptData)(dataFolder);
    process.stderr.write(`${dataFolder}: accepted ${accepted.length} databases: ${accepted.join(", ")}\n`);
  } finally {
    await lock.release();
  }
}

// The commands that work without a server.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { backUpFolder, moveInstallation, restoreBackup, unsealed } from "./backup/index.js";
import { parseDatabase, type KernelOptions } from "./kernel-options.js";
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

/**
 * Copies an installation whose tables are in SQLite to a new data folder with tables in PostgreSQL, whether a server
 * runs on it or not. What is written from then on is not in the copy.
 * @param address - `postgres://user:password@host/database`
 */
export async function move(options: KernelOptions, address: string, folder: string): Promise<void> {
  if (options.storage !== "sqlite")
    throw new Error("The tables of this installation are not in SQLite: unset LONGBOX_DATABASE to move one that are.");
  const { rows, tables, owners } = await moveInstallation({
    from: options.dataFolder,
    folder: path.resolve(folder),
    database: postgresAddress(address),
    // It takes minutes for a large library: the lines say how far it is.
    log: new ServerLog({ level: "info" }).logger("move"),
    version: kernelVersion,
  });
  process.stderr.write(
    `${folder}: ${rows} rows in ${tables} tables of ${owners} owners are the same in PostgreSQL. ` +
      `Stop the server, and start it with LONGBOX_DATA=${folder} and LONGBOX_DATABASE. ${options.dataFolder} is as it was.\n`,
  );
}

/**
 * Takes the databases of a data folder as they are, after one was lost or put in place by hand. No server may run on
 * it.
 */
export async function accept({ dataFolder, storage }: KernelOptions): Promise<void> {
  const lock = lockDataFolder(dataFolder);
  try {
    const accepted = await (typeof storage === "object" ? acceptSchemas : acceptData)(dataFolder);
    process.stderr.write(`${dataFolder}: accepted ${accepted.length} databases: ${accepted.join(", ")}\n`);
  } finally {
    await lock.release();
  }
}

function postgresAddress(text: string): { readonly postgres: string } {
  const kind = parseDatabase(text, "--to");
  if (typeof kind === "string") throw new Error("--to must be an address that begins with postgres://.");
  return kind;
}

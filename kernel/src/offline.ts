import path from "node:path";
import { backUpFolder, restoreBackup } from "./backup/index.js";
import type { KernelOptions } from "./kernel-options.js";
import { acceptData, acceptSchemas, lockDataFolder } from "./storage/index.js";
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

/** Puts a backup into the data folder, which must be empty or missing. */
export async function restore(options: KernelOptions, file: string): Promise<void> {
  const manifest = await restoreBackup(path.resolve(file), options.dataFolder);
  process.stderr.write(`${options.dataFolder}: restored ${manifest.files.length} files of ${manifest.createdAt}\n`);
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

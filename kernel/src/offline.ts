import path from "node:path";
import { restoreBackup } from "./backup/index.js";
import { Kernel } from "./kernel.js";
import type { KernelOptions } from "./kernel-options.js";
import { ServerLog } from "./logging/server-log.js";
import { lockDataFolder } from "./storage/index.js";

/** Writes a backup of a data folder on which no server runs; a running one has `POST /api/backup`. */
export async function backUp(options: KernelOptions, file: string): Promise<void> {
  const lock = lockDataFolder(options.dataFolder);
  const kernel = await Kernel.open(options, new ServerLog({ level: "warn" }));
  try {
    const backup = await kernel.backups.createAt(path.resolve(file));
    process.stderr.write(`${file}: ${backup.sizeBytes} bytes\n`);
  } finally {
    await kernel.stop();
    await lock.release();
  }
}

/** Puts a backup into the data folder, which must be empty or missing. */
export async function restore(options: KernelOptions, file: string): Promise<void> {
  const manifest = await restoreBackup(path.resolve(file), options.dataFolder);
  process.stderr.write(`${options.dataFolder}: restored ${manifest.files.length} files of ${manifest.createdAt}\n`);
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { BadInput, type Logger } from "@longbox/sdk";
import { openStoring, type StorageKind } from "../storage/index.js";
import { Backups, type Backup } from "./backups.js";

/**
 * Makes a backup of a data folder as a file, from outside the server, which may be running. Each database is of one
 * instant; from one to the next there are milliseconds, in which `POST /api/backup` holds writers and this cannot.
 */
export async function backUpFolder(
  folder: string,
  file: string,
  options: { readonly log: Logger; readonly version: string; readonly storage: StorageKind },
): Promise<Backup> {
  if (!existsSync(join(folder, "kernel")))
    throw new BadInput(
      "kernel/no-data-folder",
      `${folder} is not a data folder of Longbox. Name one with LONGBOX_DATA.`,
    );
  const storing = await openStoring(options.storage, { folder, log: options.log, shared: true });
  try {
    return await new Backups({ folder, storing, settings: { current: { keep: 1, keepDays: 0 } }, ...options }).createAt(
      file,
    );
  } finally {
    await storing.release();
  }
}

// The trial of a backup that has just been made.
import { isDeepStrictEqual } from "node:util";
import { isLongboxError, LongboxError } from "@longbox/sdk";
import type { BackupManifest } from "./backup-manifest.js";
import { restoreBackup } from "./restoring.js";

/**
 * Restores a packed backup into a folder, as `longbox restore` does, and compares what comes out with what went in.
 * @param trial - The folder, which must not exist; who calls removes it
 * @throws {LongboxError} `kernel/backup-not-whole` when it cannot be restored, `kernel/storage-full` when there is no
 *   room to try
 */
export async function checkMade(packed: string, trial: string, made: BackupManifest): Promise<void> {
  const restored = await restoreBackup(packed, trial).catch((fault: unknown) => {
    if (isLongboxError(fault) && fault.code !== "kernel/backup-damaged") throw fault;
    throw notWhole(fault);
  });
  if (!isDeepStrictEqual(restored, made)) throw notWhole(undefined);
}

function notWhole(cause: unknown): LongboxError {
  const fault = new LongboxError(
    "internal",
    "kernel/backup-not-whole",
    "The backup was made, but could not be restored for a trial, so it was not kept. Check the disk of the data folder.",
  );
  return Object.assign(fault, { cause });
}

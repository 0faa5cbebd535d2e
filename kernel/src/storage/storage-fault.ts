import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isLongboxError, LongboxError } from "@longbox/sdk";

const sqliteFull = 13;
const sqliteReadOnly = 8;
const sqliteCannotOpen = 14;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
const sqliteInputOutput = 10;
const nearlyNothingBytes = 1_048_576;

/** What a fault of a file or a database means for callers; anything else is given back as it is. */
export function translateStorageFault(fault: unknown, path: string): unknown {
  if (!(fault instanceof Error) || isLongboxError(fault)) return fault;
  // Clients never see a cause, so it may name the path.
  const cause = fault.message.includes(path) ? fault : new Error(`${path}: ${fault.message}`, { cause: fault });
  if (meansFull(fault, path)) {
    return new LongboxError(
      "storage-full",
      "kernel/storage-full",
      "There is no room left on the disk that holds the data. Nothing was changed; free some space and try again.",
      undefined,
      { cause },
    );
  }
  const primary = primaryCode(fault);
  if (primary === sqliteCorrupt || primary === sqliteNotADatabase) {
    return new LongboxError(
      "internal",
      "kernel/database-unreadable",
      "A database file is damaged. It was left as it is; restore a backup.",
      undefined,
      { cause },
    );
  }
  if (
    primary === sqliteReadOnly ||
    primary === sqliteCannotOpen ||
    notAllowed.has((fault as { code?: string }).code ?? "") ||
    isRefusedFolder(fault, path)
  ) {
    return new LongboxError(
      "unavailable",
      "kernel/storage-not-writable",
      "The disk that holds the data cannot be written to. Nothing was changed.",
      undefined,
      { cause },
    );
  }
  return fault;
}

/** Whether a database refuses a write because of how it was opened, or because of its disk. */
export function refusesToWrite(fault: unknown): boolean {
  return fault instanceof Error && primaryCode(fault) === sqliteReadOnly;
}

/**
 * Whether something could not be written because the disk is full, cannot be written to, or the database server is
 * away.
 */
export function cannotBeStored(fault: unknown): boolean {
  if (!isLongboxError(fault)) return false;
  return fault.kind === "storage-full" || fault.code === "kernel/storage-not-writable" || isDatabaseAway(fault);
}

/** Whether the database server does not answer: what failed works again by itself once it is back. */
export function isDatabaseAway(fault: unknown): boolean {
  return isLongboxError(fault) && fault.code === "kernel/database-away";
}

const notAllowed = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Making a folder with those above it fails with ENOENT on a disk that is read-only: Node looks for the folder then and
 * reports that it is not there.
 */
function isRefusedFolder(fault: Error, path: string): boolean {
  const { code, syscall } = fault as NodeJS.ErrnoException;
  if (code !== "ENOENT" || syscall !== "mkdir") return false;
  let above = dirname(path);
  while (!existsSync(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function meansFull(fault: Error, path: string): boolean {
  const { code } = fault as { code?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return true;
  const primary = primaryCode(fault);
  if (primary === sqliteFull) return true;
  // SQLite reports a write-ahead log that cannot grow as an input/output error, regardless of the reason.
  return primary === sqliteInputOutput && freeBytes(path) < nearlyNothingBytes;
}

/** SQLite's result code without its extension, from node:sqlite's errors; sql.js only gives the words. */
function primaryCode(fault: Error): number | undefined {
  const { errcode } = fault as { errcode?: number };
  if (typeof errcode === "number") return errcode & 0xff;
  if (fault.message.includes("database or disk is full")) return sqliteFull;
  return fault.message.includes("file is not a database") ? sqliteNotADatabase : undefined;
}

function freeBytes(path: string): number {
  try {
    const system = statfsSync(dirname(path));
    return system.bavail * system.bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

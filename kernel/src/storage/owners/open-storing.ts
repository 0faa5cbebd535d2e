import type { Storing } from "../storing.js";
import type { AdvisoryLock, AdvisoryLockOptions } from "../postgres/advisory-lock.js";
import type { StoringOptions } from "./folder-storing.js";
import { MemoryStoring } from "./memory-storing.js";
import { SqliteStoring } from "./sqlite-storing.js";

/** Where tables are kept: in files, in memory, or by the PostgreSQL server of this address. */
export type StorageKind = "sqlite" | "memory" | { readonly postgres: string };

/**
 * Opens the storage of a data folder.
 * @throws {LongboxError} `kernel/tables-elsewhere` when its tables are kept otherwise
 */
export async function openStoring(kind: StorageKind, options: StoringOptions): Promise<Storing> {
  if (kind === "memory") return new MemoryStoring(options);
  if (kind === "sqlite") return new SqliteStoring(options);
  // A server without PostgreSQL need not load its client.
  const { PostgresStoring } = await import("./postgres-storing.js");
  return new PostgresStoring(options, kind.postgres);
}

/** See `AdvisoryLock.connect`. */
export async function connectAdvisoryLock(url: string, options: AdvisoryLockOptions): Promise<AdvisoryLock> {
  const { AdvisoryLock } = await import("../postgres/advisory-lock.js");
  return AdvisoryLock.connect(url, options);
}

/** Whether tables can be reached: those in files and in memory always can. */
export async function databaseAnswers(kind: StorageKind): Promise<boolean> {
  if (typeof kind === "string") return true;
  const { postgresAnswers } = await import("../postgres/pool/connection-pool.js");
  return postgresAnswers(kind.postgres);
}

/** Drops all schemas of a data folder that nothing uses. */
export async function dropSchemas(folder: string, url: string): Promise<void> {
  return (await import("../postgres/dropping-schemas.js")).dropSchemas(folder, url);
}

// An installation is copied from SQLite to PostgreSQL, while a server may go on serving from the former.
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Conflict, LongboxError, type Logger } from "@longbox/sdk";
import {
  databaseAnswers,
  digestDatabase,
  digestFile,
  dropSchemas,
  findDifference,
  openStoring,
  temporaryBeside,
  type StorageKind,
  type TableDigests,
} from "../storage/index.js";
import { backUpFolder } from "./folder-backup.js";
import { restoreBackup } from "./restoring.js";

export interface Moving {
  /** The data folder that is copied, with its tables in SQLite. It is left as it is. */
  readonly from: string;
  /** The new data folder, which must be empty or missing. */
  readonly folder: string;
  readonly database: Extract<StorageKind, object>;
  readonly log: Logger;
  readonly version: string;
}

/** What was copied, and found to be the same. */
export interface Moved {
  readonly owners: number;
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies everything as a backup would, takes the tables into the database server, and compares the rows of each table.
 * @throws {LongboxError} `kernel/restore-target-not-empty`, `kernel/database-away`, `kernel/move-differs`: then nothing
 *   is left of the copy
 */
export async function moveInstallation(moving: Moving): Promise<Moved> {
  const { from, database, log, version } = moving;
  const folder = resolve(moving.folder);
  await refuseUnlessPossible(folder, database);
  const archive = `${temporaryBeside(folder)}.tar.gz`;
  try {
    await backUpFolder(from, archive, { log, version, storage: "sqlite" });
    const { owners } = await restoreBackup(archive, folder);
    return await takeIn({ ...moving, folder }, owners);
  } finally {
    await rm(archive, { force: true });
  }
}

async function refuseUnlessPossible(folder: string, database: Moving["database"]): Promise<void> {
  if (!(await databaseAnswers(database)))
    throw new LongboxError(
      "unavailable",
      "kernel/database-away",
      "The database server does not answer, or does not let Longbox in. Nothing was copied.",
    );
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw new Conflict("kernel/restore-target-not-empty", `${folder} is not empty. Name a new folder.`);
}

async function takeIn({ folder, database, log }: Moving, owners: readonly string[]): Promise<Moved> {
  const before = await digestFiles(folder);
  const storing = await openStoring(database, { folder, log });
  let [tables, rows] = [0, 0];
  try {
    for (const owner of owners) {
      const storage = await storing.open(owner);
      const expected = before.get(owner) ?? new Map();
      // A plugin without tables has no database to open.
      const found = expected.size > 0 ? await digestDatabase(storage.database<any>()) : new Map();
      refuseDifference(owner, expected, found);
      log.info("The tables of an owner were copied, and are the same.", { owner, tables: found.size });
      tables += found.size;
      for (const digest of found.values()) rows += digest.rows;
      await storage.release();
    }
    await storing.release();
  } catch (fault) {
    await storing.release();
    await dropSchemas(folder, database.postgres);
    await rm(folder, { recursive: true, force: true });
    throw fault;
  }
  return { owners: owners.length, tables, rows };
}

/** By owner, what the files of a restored backup hold. Each owner has one state of its data there. */
async function digestFiles(folder: string): Promise<Map<string, TableDigests>> {
  const digests = new Map<string, TableDigests>();
  for (const path of await readdir(folder, { recursive: true })) {
    const owner = /^(?:plugins\/data\/([^/]+)\/[^/]+|(kernel))\/database\.sqlite$/.exec(path);
    const name = owner?.[1] ?? owner?.[2];
    if (name !== undefined) digests.set(name, await digestFile(join(folder, path)));
  }
  return digests;
}

function refuseDifference(owner: string, before: TableDigests, after: TableDigests): void {
  const table = findDifference(before, after);
  if (table === undefined) return;
  const [had, has] = [before.get(table)?.rows ?? 0, after.get(table)?.rows ?? 0];
  throw new LongboxError(
    "internal",
    "kernel/move-differs",
    `The table "${table}" of "${owner}" has ${had} rows in SQLite and ${has} in PostgreSQL, or other values. The copy was removed, and the installation is as it was.`,
  );
}

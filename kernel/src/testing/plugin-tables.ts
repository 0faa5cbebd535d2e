// The tables of plugins, for tests that look into them.
import type { Kysely } from "kysely";
import type { ServerLog } from "../logging/server-log.js";
import { openStoring, type StorageKind, type Storing } from "../storage/index.js";

/** Where the tables of a host are that is stopped. */
export interface StoppedHost {
  readonly folder: string;
  readonly storage: StorageKind;
}

/**
 * Uses the tables of a plugin beside the plugin itself, or while nothing runs.
 * @param storing - of the running host
 */
export async function useTables<Answer>(
  storing: Storing | StoppedHost,
  plugin: string,
  use: (database: Kysely<any>) => Promise<Answer>,
): Promise<Answer> {
  if ("open" in storing) return useIn(storing, plugin, use);
  if (storing.storage === "memory")
    throw new Error("A stopped host with a database in memory has no tables: start it with storage sqlite.");
  const own = await openStoring(storing.storage, { folder: storing.folder, log: silent, shared: true });
  try {
    return await useIn(own, plugin, use);
  } finally {
    await own.release();
  }
}

async function useIn<Answer>(
  storing: Storing,
  plugin: string,
  use: (database: Kysely<any>) => Promise<Answer>,
): Promise<Answer> {
  if (!(await storing.exists(plugin))) throw new Error(`Nothing is kept for the plugin "${plugin}".`);
  const storage = await storing.open(plugin);
  try {
    return await use(storage.database<any>());
  } finally {
    await storage.release();
  }
}

const silent: ReturnType<ServerLog["logger"]> = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

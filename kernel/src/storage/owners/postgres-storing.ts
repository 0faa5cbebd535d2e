import type { ConfinedLimits } from "../postgres/confined/confined-limits.js";
import { PostgresDriver } from "../postgres/postgres-driver.js";
import { Schemas } from "../postgres/schemas.js";
import { FolderStoring, type StoringOptions } from "./folder-storing.js";

/** Storage whose tables a PostgreSQL server keeps; documents, files and caches are in the data folder. */
export class PostgresStoring extends FolderStoring {
  /**
   * @param url - `postgres://user:password@host:port/database`
   * @param confined - what isolated plugins may take up
   */
  constructor(options: StoringOptions, url: string, confined?: Partial<ConfinedLimits>) {
    const { folder, log, shared: isShared = false } = options;
    super(options, new PostgresDriver({ url, schemas: new Schemas(folder), log, isShared, confined }));
  }
}

import { PostgresDriver } from "../postgres/postgres-driver.js";
import { Schemas } from "../postgres/schemas.js";
import { FolderStoring, type StoringOptions } from "./folder-storing.js";

/** Storage whose tables a PostgreSQL server keeps; documents, files and caches are in the data folder. */
export class PostgresStoring extends FolderStoring {
  /** @param url - `postgres://user:password@host:port/database` */
  constructor(options: StoringOptions, url: string) {
    const { folder, log, shared: isShared = false } = options;
    super(options, new PostgresDriver({ url, schemas: new Schemas(folder), log, isShared }));
  }
}

import { FolderStoring, type StoringOptions } from "./folder-storing.js";
import { Installation } from "../installation/installation.js";
import { SqliteDriver } from "../sqlite/sqlite-driver.js";
import { refuseServerTables } from "../postgres/schemas.js";
import { DataLayout } from "./data-layout.js";

/** Storage that lasts: every acknowledged write is on disk. */
export class SqliteStoring extends FolderStoring {
  constructor(options: StoringOptions) {
    const { folder, log, shared = false } = options;
    refuseServerTables(folder);
    const hasPluginData = () => new DataLayout(folder).hasPluginDatabases();
    super(options, new SqliteDriver(log, shared ? undefined : new Installation({ folder, log, hasPluginData })));
  }
}

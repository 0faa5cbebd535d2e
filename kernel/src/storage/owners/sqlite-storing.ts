import { FolderStoring, type StoringOptions } from "./folder-storing.js";
import { SqliteDriver } from "../sqlite/sqlite-driver.js";

/** Storage that lasts: every acknowledged write is on disk. */
export class SqliteStoring extends FolderStoring {
  constructor(options: StoringOptions) {
    super(options, new SqliteDriver());
  }
}

import { FolderStoring, type StoringOptions } from "./folder-storing.js";
import { MemoryDriver } from "../sqlite/memory-driver.js";

/**
 * Storage for tests and trials: tables are in memory and reach their file when they are closed; documents and files are
 * written to disk.
 */
export class MemoryStoring extends FolderStoring {
  constructor(options: StoringOptions) {
    super(options, new MemoryDriver());
  }
}

import type { Dialect } from "kysely";
import type { DatabaseSnapshot, ReadableFile, StorageDriver } from "./driver.js";
import type { Engine } from "./engine.js";
import { fts5 } from "./full-text.js";
import { ReaderDialect } from "./reader-dialect.js";
import { ReaderPool } from "./reader-pool.js";
import { SqliteEngine, SqliteSnapshot } from "./sqlite-engine.js";

/** The durable driver: files in WAL mode, full text by FTS5, heavy reading on other threads. */
export class SqliteDriver implements StorageDriver {
  readonly fullText = fts5;
  readonly #readers = new ReaderPool();

  async open(path: string): Promise<Engine> {
    return new SqliteEngine(path);
  }

  async snapshot(_engine: Engine, path: string): Promise<DatabaseSnapshot> {
    return new SqliteSnapshot(path);
  }

  reader(file: ReadableFile): Dialect {
    return new ReaderDialect(this.#readers, file);
  }

  async forget(path: string): Promise<void> {
    this.#readers.forget(path);
  }

  async release(): Promise<void> {
    await this.#readers.release();
  }
}

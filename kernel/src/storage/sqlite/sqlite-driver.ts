import type { Dialect, Kysely } from "kysely";
import type { FullText } from "@longbox/sdk";
import type {
  DatabasePlace,
  DatabaseSnapshot,
  OpenDatabase,
  ReadableDatabase,
  StorageDriver,
  TurnSource,
} from "../engines/driver.js";
import { translateStorageFault } from "../storage-fault.js";
import { EngineDialect } from "./engine-dialect.js";
import type { RevocableTurn } from "./engine-turn.js";
import { databasePath, FileDatabase, hasDatabaseFile } from "./file-database.js";
import { fts5, openFullText } from "./full-text.js";
import { ReaderDialect } from "./reader-dialect.js";
import { ReaderPool } from "./reader-pool.js";
import { SqliteEngine, SqliteSnapshot } from "./sqlite-engine.js";
import { sqliteMigrationRules } from "./sqlite-migration-rules.js";

/** The durable driver: files in WAL mode, full text by FTS5, heavy reading on other threads. */
export class SqliteDriver implements StorageDriver<RevocableTurn> {
  readonly migrationRules = sqliteMigrationRules;
  readonly exists = hasDatabaseFile;
  readonly #readers = new ReaderPool();

  dialect(source: TurnSource<RevocableTurn>): Dialect {
    return new EngineDialect(source);
  }

  reader(database: ReadableDatabase): Dialect {
    return new ReaderDialect(this.#readers, database);
  }

  openFullText(database: Kysely<any>, name: string, columns: readonly string[]): Promise<FullText> {
    return openFullText(database, { syntax: fts5, name, columns });
  }

  translate(fault: unknown, place: DatabasePlace): unknown {
    return translateStorageFault(fault, databasePath(place));
  }

  async open(place: DatabasePlace): Promise<OpenDatabase<RevocableTurn>> {
    return new FileDatabase(place, new SqliteEngine(databasePath(place)));
  }

  async snapshot({ place }: OpenDatabase): Promise<DatabaseSnapshot> {
    return new SqliteSnapshot(databasePath(place));
  }

  async copy(database: OpenDatabase, target: DatabasePlace): Promise<void> {
    const snapshot = await this.snapshot(database);
    await snapshot.copyTo(target.folder).finally(() => snapshot.release());
  }

  /** The file went with its folder. */
  async drop(): Promise<void> {}

  async forget(place: DatabasePlace): Promise<void> {
    this.#readers.forget(databasePath(place));
  }

  async release(): Promise<void> {
    await this.#readers.release();
  }
}

import type { Dialect, Kysely } from "kysely";
import type { FullText, Logger } from "@longbox/sdk";
import type { Installation } from "../installation/installation.js";
import type {
  DatabasePlace,
  DatabaseSnapshot,
  OpenDatabase,
  ReadableDatabase,
  StorageDriver,
  TurnSource,
} from "../engines/driver.js";
import { translateStorageFault } from "../storage-fault.js";
import { Checkpoints, mostLogPages } from "./checkpoints.js";
import { ConfinedReaders } from "./confined/confined-readers.js";
import { confinedStatements, StatementProcess } from "./confined/statement-process.js";
import { databasePath } from "./database-path.js";
import { EngineDialect } from "./engine-dialect.js";
import type { RevocableTurn } from "./engine-turn.js";
import { FileDatabase, hasDatabaseFile } from "./file-database.js";
import { fts5, openFullText } from "./full-text.js";
import { ReaderDialect } from "./reader-dialect.js";
import { ReaderPool } from "./reader-pool.js";
import { SqliteEngine, SqliteSnapshot } from "./sqlite-engine.js";
import { sqliteMigrationRules } from "./sqlite-migration-rules.js";

/** The durable driver: files in WAL mode, full text by FTS5, heavy reading on other threads. */
export class SqliteDriver implements StorageDriver<RevocableTurn> {
  readonly migrationRules = sqliteMigrationRules;
  readonly #readers = { pool: new ReaderPool(), confined: new ConfinedReaders(confinedStatements) };
  readonly #checkpoints: Checkpoints;
  readonly #installation: Installation | undefined;

  /** @param installation - Knows which databases must be there; none for a folder that another process serves from */
  constructor(log: Logger, installation?: Installation) {
    this.#checkpoints = new Checkpoints(this.#readers.pool, log);
    this.#installation = installation;
  }

  /** Also where a database should be and is not, so that opening it is refused. */
  async exists(place: DatabasePlace): Promise<boolean> {
    return (await hasDatabaseFile(place)) || ((await this.#installation?.expects(place)) ?? false);
  }

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
    // What a removed plugin had in the kernel's tables, such as its permissions, goes with it; its own files go whole.
    const path = databasePath(place);
    const open = () => new SqliteEngine(path, { erasing: place.owner === "kernel", logPages: mostLogPages });
    const opened = await this.#installation?.open(place, open);
    const engine = opened?.engine ?? open();
    return new FileDatabase(place, engine, {
      confined: new StatementProcess(path, "writes", confinedStatements),
      afterWriting: () => {
        const { log } = engine;
        if (log.pages !== 0) opened?.wrote();
        this.#checkpoints.afterWriting(path, log);
      },
      settled: () => this.#checkpoints.ended(path),
    });
  }

  async snapshots(databases: readonly OpenDatabase[]): Promise<DatabaseSnapshot[]> {
    const taken: DatabaseSnapshot[] = [];
    try {
      for (const { place } of databases) taken.push(new SqliteSnapshot(databasePath(place)));
      return taken;
    } catch (fault) {
      for (const snapshot of taken) await snapshot.release();
      throw fault;
    }
  }

  async copy({ place }: OpenDatabase, target: DatabasePlace): Promise<void> {
    const snapshot = new SqliteSnapshot(databasePath(place));
    await snapshot.copyTo(target.folder).finally(() => snapshot.release());
  }

  async leave(place: DatabasePlace): Promise<void> {
    await this.#installation?.forget(place);
  }

  /** The file goes with its folder. */
  drop(place: DatabasePlace): Promise<void> {
    return this.leave(place);
  }

  async forget(place: DatabasePlace): Promise<void> {
    const path = databasePath(place);
    this.#readers.pool.forget(path);
    await this.#readers.confined.forget(path);
  }

  async release(): Promise<void> {
    await this.#readers.pool.release();
    await this.#readers.confined.release();
    await this.#installation?.release();
  }
}

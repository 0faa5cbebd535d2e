import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Dialect, Kysely } from "kysely";
import type { FullText } from "@longbox/sdk";
import type { DatabasePlace, DatabaseSnapshot, OpenDatabase, StorageDriver, TurnSource } from "../engines/driver.js";
import { writeDurably } from "../documents/durable-file.js";
import { translateStorageFault } from "../storage-fault.js";
import type { Engine, EngineResult } from "./engine.js";
import { databasePath } from "./database-path.js";
import { EngineDialect } from "./engine-dialect.js";
import type { RevocableTurn } from "./engine-turn.js";
import { FileDatabase, hasDatabaseFile } from "./file-database.js";
import { fts4, openFullText } from "./full-text.js";
import { sqliteMigrationRules } from "./sqlite-migration-rules.js";
import { SqlJsEngine } from "./sqljs-engine.js";

/**
 * The driver for tests, examples and `--ephemeral`: tables in memory, saved to their file only when they are closed.
 */
export class MemoryDriver implements StorageDriver<RevocableTurn> {
  readonly migrationRules = sqliteMigrationRules;
  readonly exists = hasDatabaseFile;

  dialect(source: TurnSource<RevocableTurn>): Dialect {
    return new EngineDialect(source);
  }

  reader(): undefined {
    return undefined;
  }

  openFullText(database: Kysely<any>, name: string, columns: readonly string[]): Promise<FullText> {
    return openFullText(database, { syntax: fts4, name, columns });
  }

  translate(fault: unknown, place: DatabasePlace): unknown {
    return translateStorageFault(fault, databasePath(place));
  }

  async open(place: DatabasePlace): Promise<FileDatabase<SnapshotEngine>> {
    const path = databasePath(place);
    const snapshot = await readFile(path).catch(() => undefined);
    const engine = await SqlJsEngine.open(snapshot?.byteLength ? snapshot : undefined);
    return new FileDatabase(place, new SnapshotEngine(engine, path));
  }

  async snapshots(databases: readonly OpenDatabase[]): Promise<DatabaseSnapshot[]> {
    return databases.map(snapshotOf);
  }

  async copy(database: OpenDatabase, target: DatabasePlace): Promise<void> {
    await snapshotOf(database).copyTo(target.folder);
  }

  /** The file went with its folder. */
  async leave(): Promise<void> {}

  async drop(): Promise<void> {}

  async forget(): Promise<void> {}

  async release(): Promise<void> {}
}

function snapshotOf(database: OpenDatabase): DatabaseSnapshot {
  const bytes = (database as FileDatabase<SnapshotEngine>).engine.export();
  return { copyTo: (folder) => writeDurably(databasePath({ folder }), bytes), release: async () => undefined };
}

class SnapshotEngine implements Engine {
  readonly #engine: SqlJsEngine;
  readonly #path: string;

  constructor(engine: SqlJsEngine, path: string) {
    this.#engine = engine;
    this.#path = path;
  }

  get inTransaction(): boolean {
    return this.#engine.inTransaction;
  }

  run(sql: string, parameters: readonly unknown[]): EngineResult {
    return this.#engine.run(sql, parameters);
  }

  iterate(sql: string, parameters: readonly unknown[]): Iterable<unknown> {
    return this.#engine.iterate(sql, parameters);
  }

  export(): Uint8Array {
    return this.#engine.export();
  }

  close(): void {
    writeFileSync(this.#path, this.#engine.export());
    this.#engine.close();
  }
}

import initSqlJs, { type BindParams, type Database, type SqlJsStatic, type Statement } from "sql.js";
import type { Engine, EngineResult } from "./engine.js";

let loaded: Promise<SqlJsStatic> | undefined;

/** SQLite compiled to WebAssembly: the whole database is in memory, and is saved by exporting it whole. */
export class SqlJsEngine implements Engine {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
    this.#database.run("pragma foreign_keys = on");
  }

  /** Opens a copy of these bytes, or an empty database. The module is loaded once for the process. */
  static async open(bytes?: Uint8Array): Promise<SqlJsEngine> {
    loaded ??= initSqlJs({ useOldExtensionFunctions: false } as Parameters<typeof initSqlJs>[0]);
    const { Database } = await loaded;
    return new SqlJsEngine(new Database(bytes && withoutLog(bytes)));
  }

  get inTransaction(): boolean {
    try {
      this.#database.run("begin");
    } catch {
      return true;
    }
    this.#database.run("rollback");
    return false;
  }

  run(sql: string, parameters: readonly unknown[]): EngineResult {
    const statement = this.#database.prepare(sql, parameters as BindParams);
    try {
      const names = statement.getColumnNames();
      if (names.length > 0) return { rows: [...rowsOf(statement, names)] };
      statement.step();
      return { rows: [], changes: BigInt(this.#database.getRowsModified()), insertId: this.#lastInsertId() };
    } finally {
      statement.free();
    }
  }

  *iterate(sql: string, parameters: readonly unknown[]): Iterable<unknown> {
    const statement = this.#database.prepare(sql, parameters as BindParams);
    try {
      yield* rowsOf(statement, statement.getColumnNames());
    } finally {
      statement.free();
    }
  }

  /** The database as the bytes of a SQLite file. */
  export(): Uint8Array {
    return this.#database.export();
  }

  close(): void {
    this.#database.close();
  }

  #lastInsertId(): bigint {
    return BigInt(Number(this.#database.exec("select last_insert_rowid()")[0]?.values[0]?.[0] ?? 0));
  }
}

/**
 * A file that was kept with a write-ahead log says so in its header, and cannot be opened in memory, where there is
 * none.
 */
function withoutLog(bytes: Uint8Array): Uint8Array {
  const [rollbackJournal, writeAheadLog] = [1, 2];
  if (bytes[18] !== writeAheadLog) return bytes;
  const copy = Uint8Array.from(bytes);
  copy[18] = copy[19] = rollbackJournal;
  return copy;
}

function* rowsOf(statement: Statement, names: readonly string[]): Iterable<Record<string, unknown>> {
  while (statement.step()) {
    const values = statement.get();
    yield Object.fromEntries(names.map((name, index) => [name, values[index]]));
  }
}

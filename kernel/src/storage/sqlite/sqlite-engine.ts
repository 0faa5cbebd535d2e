import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Engine, EngineResult } from "./engine.js";
import { databasePath } from "./database-path.js";

const keptStatements = 200;
/** What is left of the write-ahead log after a large transaction. */
const longestLogBytes = 67_108_864;
/**
 * Pages (of 4 kB) in the log before a commit writes them to the database itself. Work in batches writes the same pages
 * of an index again and again; they cost a scan 12 % less time than with SQLite's 1,000.
 */
const logPages = 4_000;
/** How long closing waits for readers. */
const lastWaitMs = 250;
/** Kilobytes of pages that one connection keeps; the operating system's cache, mapped below, does the rest. */
const cacheKilobytes = 8_000;
/**
 * Mapped pages count as memory of the process, once for each connection: enough for usual libraries, bounded for large
 * ones.
 */
const mappedBytes = { writing: 134_217_728, reading: 33_554_432 };

export interface SqliteEngineOptions {
  readOnly?: boolean;
  /** Default `wal`. */
  journal?: "wal" | "delete";
  /**
   * Overwrites what is deleted, so that nothing of it stays in the file; it costs a writing of each page that becomes
   * free.
   */
  erasing?: boolean;
  /** How long to wait for another process that has the file locked; default 5 s. */
  timeoutMs?: number;
  /** From how many pages in the log a commit writes them to the database itself; default 4,000. */
  logPages?: number;
}

/** What SQLite keeps beside a database, in pages. */
export interface LogState {
  /** Those that were committed since it was emptied, 0 where nothing was written; undefined where there is no log. */
  readonly pages: number | undefined;
  /** Those of them that the database itself does not have yet. */
  readonly missing: number;
}

/** SQLite as Node carries it: a file in WAL mode, in which a commit is on disk before it is acknowledged. */
export class SqliteEngine implements Engine {
  readonly #database: DatabaseSync;
  readonly #readOnly: boolean;
  readonly #statements = new Map<string, { statement: StatementSync; reads: boolean }>();

  constructor(path: string, options: SqliteEngineOptions = {}) {
    this.#readOnly = options.readOnly ?? false;
    this.#database = new DatabaseSync(path, {
      readOnly: this.#readOnly,
      timeout: options.timeoutMs ?? 5_000,
      enableForeignKeyConstraints: true,
    });
    try {
      if (!options.readOnly) this.#database.exec(`pragma journal_mode = ${options.journal ?? "wal"}`);
      this.#database.exec(
        `pragma synchronous = full; pragma cache_size = -${cacheKilobytes}; pragma mmap_size = ${options.readOnly ? mappedBytes.reading : mappedBytes.writing}; pragma temp_store = memory; pragma journal_size_limit = ${longestLogBytes}; pragma wal_autocheckpoint = ${options.logPages ?? logPages}; pragma secure_delete = ${options.erasing ? "on" : "off"}`,
      );
    } catch (fault) {
      this.#database.close();
      throw fault;
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** The state of the log; it costs a few microseconds. */
  get log(): LogState {
    try {
      const [told] = this.run("pragma wal_checkpoint(noop)", []).rows as Array<{ log: number; checkpointed: number }>;
      if (told && told.log >= 0) return { pages: told.log, missing: told.log - told.checkpointed };
    } catch {
      // Whatever keeps it from looking there is told by what reads or writes there.
    }
    return { pages: undefined, missing: 0 };
  }

  run(sql: string, parameters: readonly unknown[]): EngineResult {
    const { statement, reads } = this.#prepared(sql);
    const values = parameters as SQLInputValue[];
    if (reads) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Uses a statement of its own, since a kept one may run again while this one is half read. */
  iterate(sql: string, parameters: readonly unknown[]): Iterable<unknown> {
    return this.#database.prepare(sql).iterate(...(parameters as SQLInputValue[]));
  }

  close(): void {
    if (!this.#readOnly && this.log.pages !== 0) this.#emptyLog();
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * SQLite does so itself only when the file is open nowhere else, and the reading threads let go of it a little later.
   */
  #emptyLog(): void {
    try {
      this.#database.exec(`pragma busy_timeout = ${lastWaitMs}; pragma wal_checkpoint(truncate)`);
    } catch {
      // The log stays beside the file, and is taken in when it is opened again.
    }
  }

  /** The statement used longest ago makes room: a Map keeps the order in which its keys were set. */
  #prepared(sql: string): { statement: StatementSync; reads: boolean } {
    const kept = this.#statements.get(sql);
    if (kept) {
      this.#statements.delete(sql);
      this.#statements.set(sql, kept);
      return kept;
    }
    const statement = this.#database.prepare(sql);
    const made = { statement, reads: statement.columns().length > 0 };
    this.#statements.set(sql, made);
    if (this.#statements.size > keptStatements) this.#statements.delete(this.#statements.keys().next().value as string);
    return made;
  }
}

/**
 * A database file as it is now: the read transaction of a connection of its own keeps this state while others write on.
 */
export class SqliteSnapshot {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    // The transaction begins with its first reading.
    this.#database.exec("begin; select count(*) from sqlite_master");
  }

  async copyTo(folder: string): Promise<void> {
    // All pages in one step, on a thread of libuv's.
    await backup(this.#database, databasePath({ folder }), { rate: 2_000_000_000 });
  }

  async release(): Promise<void> {
    this.#database.close();
  }
}

import {
  SqliteIntrospector,
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import { LongboxError } from "@longbox/sdk";
import type { ReadableDatabase } from "../engines/driver.js";
import { QuietConnection } from "../queries/quiet-connection.js";
import { toBoundValue } from "../engines/bound-values.js";
import { QueueingAdapter } from "./engine-dialect.js";
import { databasePath } from "./database-path.js";
import type { ConfinedReaders } from "./confined/confined-readers.js";
import type { ReaderPool } from "./reader-pool.js";
import { refusesToWrite, translateStorageFault } from "../storage-fault.js";
import { SqliteCompiler } from "./sqlite-compiler.js";

/**
 * Longbox's own plugins read in shared threads; other publishers' plugins, and databases with an endless query, in
 * processes.
 */
interface Readers {
  readonly pool: ReaderPool;
  readonly confined: ConfinedReaders;
}

/**
 * Kysely's dialect for a file that is only read, on other threads. Each query sees what was committed before it began.
 */
export class ReaderDialect implements Dialect {
  readonly #readers: Readers;
  readonly #file: ReadableDatabase;

  constructor(readers: Readers, file: ReadableDatabase) {
    this.#readers = readers;
    this.#file = file;
  }

  createDriver(): Driver {
    return new ReaderDriver(new ReaderConnection(this.#readers, this.#file));
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteCompiler();
  }

  createAdapter(): QueueingAdapter {
    return new QueueingAdapter();
  }

  createIntrospector(database: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }
}

class ReaderDriver implements Driver {
  readonly #connection: ReaderConnection;

  constructor(connection: ReaderConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new LongboxError(
      "internal",
      "kernel/reader-only-reads",
      "A reader has no transactions: each of its queries sees one state by itself. Use the database.",
    );
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class ReaderConnection extends QuietConnection {
  readonly #readers: Readers;
  readonly #file: ReadableDatabase;

  constructor(readers: Readers, file: ReadableDatabase) {
    super();
    this.#readers = readers;
    this.#file = file;
  }

  protected async run<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    await this.#file.ready();
    const path = databasePath(this.#file.place);
    const question = { path, sql: query.sql, parameters: query.parameters.map(toBoundValue) };
    const { confined, pool } = this.#readers;
    const { readsApart, reads } = this.#file;
    const readers = readsApart || pool.hasLeftBehind(path) ? confined : pool;
    try {
      const rows = await readers.read(question, { signal: options?.signal, reads });
      return { rows: rows as R[] };
    } catch (fault) {
      // Writing through a reader is a mistake in the code.
      throw refusesToWrite(fault) ? fault : translateStorageFault(fault, path);
    }
  }

  protected async *iterate<R>(
    query: CompiledQuery,
    _chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    yield await this.run<R>(query, options);
  }
}

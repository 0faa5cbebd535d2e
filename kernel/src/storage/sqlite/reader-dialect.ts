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
import { toBoundValue } from "../engines/bound-values.js";
import { QueueingAdapter } from "./engine-dialect.js";
import { databasePath } from "./database-path.js";
import type { ReaderPool } from "./reader-pool.js";
import { refusesToWrite, translateStorageFault } from "../storage-fault.js";
import { SqliteCompiler } from "./sqlite-compiler.js";

/** Kysely's dialect for a file that is only read, on other threads. Each query sees what was committed before it began. */
export class ReaderDialect implements Dialect {
  readonly #pool: ReaderPool;
  readonly #file: ReadableDatabase;

  constructor(pool: ReaderPool, file: ReadableDatabase) {
    this.#pool = pool;
    this.#file = file;
  }

  createDriver(): Driver {
    return new ReaderDriver(new ReaderConnection(this.#pool, this.#file));
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

class ReaderConnection implements DatabaseConnection {
  readonly #pool: ReaderPool;
  readonly #file: ReadableDatabase;

  constructor(pool: ReaderPool, file: ReadableDatabase) {
    this.#pool = pool;
    this.#file = file;
  }

  async executeQuery<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    await this.#file.ready();
    const path = databasePath(this.#file.place);
    try {
      return {
        rows: (await this.#pool.read(
          { path, sql: query.sql, parameters: query.parameters.map(toBoundValue) },
          options?.signal,
        )) as R[],
      };
    } catch (fault) {
      // Writing through a reader is a mistake in the code.
      throw refusesToWrite(fault) ? fault : translateStorageFault(fault, path);
    }
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    _chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query, options);
  }
}

import {
  PostgresAdapter,
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
import { toBoundValue } from "../engines/bound-values.js";
import type { TurnSource } from "../engines/driver.js";
import { acquireQuietly, QuietConnection } from "../queries/quiet-connection.js";
import { quoted } from "./quoted.js";
import type { PooledConnection } from "./session.js";
import { PostgresCompiler } from "./postgres-compiler.js";
import type { PostgresTurn } from "./postgres-database.js";
import { inStatement } from "./postgres-faults.js";
import { SchemaIntrospector } from "./schema-introspector.js";

/** Kysely's dialect for a schema of PostgreSQL. */
export class PostgresTurnDialect implements Dialect {
  readonly #createDriver: () => Driver;

  constructor(createDriver: () => Driver) {
    this.#createDriver = createDriver;
  }

  createDriver(): Driver {
    return this.#createDriver();
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresCompiler();
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(database: Kysely<any>): DatabaseIntrospector {
    return new SchemaIntrospector(database);
  }
}

/** Runs statements and transactions, each in a turn of its own. */
export class TurnDriver implements Driver {
  readonly #source: TurnSource<PostgresTurn>;

  constructor(source: TurnSource<PostgresTurn>) {
    this.#source = source;
  }

  async init(): Promise<void> {}

  async acquireConnection(options?: AbortableOperationOptions): Promise<TurnConnection> {
    const turn = await acquireQuietly(() => this.#source.acquire(), options);
    return new TurnConnection(turn, this.#source);
  }

  async beginTransaction({ turn }: TurnConnection): Promise<void> {
    await this.#told(turn.begin());
  }

  async commitTransaction({ turn }: TurnConnection): Promise<void> {
    await this.#told(turn.commit());
  }

  async rollbackTransaction({ turn }: TurnConnection): Promise<void> {
    await this.#told(turn.rollback());
  }

  async savepoint({ turn }: TurnConnection, name: string): Promise<void> {
    await this.#told(turn.run(`savepoint ${quoted(name)}`, [], "reads"));
  }

  async rollbackToSavepoint({ turn }: TurnConnection, name: string): Promise<void> {
    await this.#told(turn.run(`rollback to ${quoted(name)}`, [], "reads"));
  }

  async releaseSavepoint({ turn }: TurnConnection, name: string): Promise<void> {
    await this.#told(turn.run(`release ${quoted(name)}`, [], "reads"));
  }

  async releaseConnection({ turn }: TurnConnection): Promise<void> {
    turn.free();
  }

  async destroy(): Promise<void> {}

  async #told<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (fault) {
      throw this.#source.translate(fault);
    }
  }
}

class TurnConnection extends QuietConnection {
  readonly turn: PostgresTurn;
  readonly #source: TurnSource<PostgresTurn>;
  #streams = 0;

  constructor(turn: PostgresTurn, source: TurnSource<PostgresTurn>) {
    super();
    this.turn = turn;
    this.#source = source;
  }

  protected async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const kind = query.query.kind === "SelectQueryNode" ? "reads" : "writes";
    try {
      return answerOf<R>(await this.turn.run(query.sql, query.parameters.map(toBoundValue), kind));
    } catch (fault) {
      throw this.#source.translate(inStatement(fault, query.sql));
    }
  }

  /** By a cursor, which lives in a transaction. */
  protected async *iterate<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    const isOwn = !this.turn.inTransaction;
    const cursor = `longbox_stream_${(this.#streams += 1)}`;
    try {
      if (isOwn) await this.turn.begin();
      const values = query.parameters.map(toBoundValue);
      await this.turn.run(`declare ${cursor} no scroll cursor for ${query.sql}`, values, "reads");
      for (;;) {
        const { rows } = await this.turn.run(`fetch ${chunkSize || 100} from ${cursor}`, [], "reads");
        if (rows.length === 0) break;
        yield { rows: rows as R[] };
      }
    } catch (fault) {
      throw this.#source.translate(fault);
    } finally {
      // After a fault, or at the end of the transaction, it has gone by itself.
      if (isOwn) await this.turn.rollback();
      else await this.turn.run(`close ${cursor}`, [], "reads").catch(() => undefined);
    }
  }
}

/** Where a {@link ReadingDriver} gets its connections. */
export interface ReadingSource {
  take(): Promise<PooledConnection>;
  /** Hears of each connection that was taken, before it is given back. */
  gave(connection: PooledConnection): void;
  cancel(connection: PooledConnection): Promise<void>;
  translate(fault: unknown): unknown;
}

/** Only reads, beside whatever is written. Each query sees what was committed before it began. */
export class ReadingDriver implements Driver {
  readonly #connection: ReadingConnection;

  constructor(source: ReadingSource) {
    this.#connection = new ReadingConnection(source);
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

class ReadingConnection extends QuietConnection {
  readonly #source: ReadingSource;

  constructor(source: ReadingSource) {
    super();
    this.#source = source;
  }

  protected async run<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const connection = await this.#take();
    const cancel = () => {
      // The caller has gone. Where cancelling does not get through, the statement ends by itself.
      this.#source.cancel(connection).catch(() => undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return answerOf<R>(await connection.query(query.sql, query.parameters.map(toBoundValue)));
    } catch (fault) {
      throw signal?.aborted ? signal.reason : this.#source.translate(inStatement(fault, query.sql));
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#source.gave(connection);
      // The cancelling may arrive late, and must not meet the statement of another caller.
      if (signal?.aborted) connection.end();
      else connection.free();
    }
  }

  async #take(): Promise<PooledConnection> {
    try {
      return await this.#source.take();
    } catch (fault) {
      throw this.#source.translate(fault);
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

interface Answer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

function answerOf<R>({ rows, rowCount, command }: Answer): QueryResult<R> {
  const isChange = command === "INSERT" || command === "UPDATE" || command === "DELETE" || command === "MERGE";
  return { rows: rows as R[], ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
}

import {
  type AbortableOperationOptions,
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import type { TurnSource } from "../engines/driver.js";
import { acquireQuietly, QuietConnection } from "../queries/quiet-connection.js";
import { breather } from "./breather.js";
import { toBoundValue } from "../engines/bound-values.js";
import type { Engine, RemoteEngine } from "./engine.js";
import type { EngineTurn } from "./engine-turn.js";
import { givenUpBy } from "./confined/given-up.js";
import { SqliteCompiler } from "./sqlite-compiler.js";

/** Kysely's dialect for an engine: SQLite's grammar with the driver of the engine. */
export class EngineDialect implements Dialect {
  readonly #source: TurnSource<EngineTurn>;

  constructor(source: TurnSource<EngineTurn>) {
    this.#source = source;
  }

  createDriver(): Driver {
    return new EngineDriver(this.#source);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new QueueingAdapter();
  }

  createIntrospector(database: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }
}

/** The source queues by itself, across every Kysely on one file; Kysely's own queue would only see its own. */
export class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class EngineDriver implements Driver {
  readonly #source: TurnSource<EngineTurn>;

  constructor(source: TurnSource<EngineTurn>) {
    this.#source = source;
  }

  async init(): Promise<void> {}

  async acquireConnection(options?: AbortableOperationOptions): Promise<EngineConnection> {
    const turn = await acquireQuietly(() => this.#source.acquire(), options);
    return new EngineConnection(turn, this.#source);
  }

  async beginTransaction(connection: EngineConnection): Promise<void> {
    await connection.command("begin");
  }

  async commitTransaction(connection: EngineConnection): Promise<void> {
    await connection.command("commit");
  }

  async rollbackTransaction(connection: EngineConnection): Promise<void> {
    if (connection.inTransaction) await connection.command("rollback");
  }

  async savepoint(connection: EngineConnection, name: string): Promise<void> {
    await connection.command(`savepoint ${quoted(name)}`);
  }

  async rollbackToSavepoint(connection: EngineConnection, name: string): Promise<void> {
    if (connection.inTransaction) await connection.command(`rollback to ${quoted(name)}`);
  }

  async releaseSavepoint(connection: EngineConnection, name: string): Promise<void> {
    await connection.command(`release ${quoted(name)}`);
  }

  async releaseConnection(connection: EngineConnection): Promise<void> {
    connection.free();
  }

  async destroy(): Promise<void> {}
}

const isRemote = (engine: Engine | RemoteEngine): engine is RemoteEngine => !("iterate" in engine);

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

class EngineConnection extends QuietConnection {
  readonly #turn: EngineTurn;
  readonly #source: TurnSource<EngineTurn>;

  constructor(turn: EngineTurn, source: TurnSource<EngineTurn>) {
    super();
    this.#turn = turn;
    this.#source = source;
  }

  get inTransaction(): boolean {
    return this.#turn.engine.inTransaction;
  }

  async command(sql: string): Promise<void> {
    await this.#run(CompiledQuery.raw(sql, []));
  }

  protected async run<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    await breather.pause();
    const { engine } = this.#turn;
    if (!isRemote(engine)) return this.#run<R>(query);
    return givenUpBy(options?.signal, engine, () => this.#run<R>(query));
  }

  protected async *iterate<R>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    const { engine } = this.#turn;
    // A process has all rows at once.
    if (isRemote(engine)) return yield await this.run<R>(query, options);
    let rows: R[] = [];
    for (const row of engine.iterate(query.sql, query.parameters.map(toBoundValue))) {
      rows.push(row as R);
      if (rows.length < (chunkSize || 100)) continue;
      yield { rows };
      await breather.pause();
      rows = [];
    }
    if (rows.length > 0) yield { rows };
  }

  free(): void {
    this.#turn.free();
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const running = this.#turn.engine.run(query.sql, query.parameters.map(toBoundValue));
      const result = running instanceof Promise ? await running : running;
      return {
        rows: result.rows as R[],
        ...(result.changes === undefined ? {} : { numAffectedRows: result.changes }),
        ...(result.insertId === undefined ? {} : { insertId: result.insertId }),
      };
    } catch (fault) {
      throw this.#source.translate(fault);
    } finally {
      // Also what only ends a transaction: until then, others may have read what was there before.
      if (query.query.kind !== "SelectQueryNode") this.#turn.wrote();
    }
  }
}

import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import type { EngineName } from "@longbox/sdk";
import { QuietConnection } from "../../../storage/queries/quiet-connection.js";
import type { TurnCommand } from "../../../storage/queries/held-turns.js";
import type { ToldQuery, ToldRows, ToldStream } from "../agreement.js";
import { grammars, type EngineGrammar } from "./engine-grammars.js";

/** What the kernel does for the databases of the plugin. */
export interface QueryDoor {
  /** @param signal - ends the statement in the engine, as far as the engine can */
  query(query: ToldQuery, signal?: AbortSignal): Promise<ToldRows>;
  /** Its rows, so many at a time. */
  stream(query: ToldQuery, chunkSize: number): Promise<ToldStream>;
  /** Begins a transaction, which holds the database until it ends. @returns the number of the turn */
  begin(source: string): Promise<number>;
  /** Ends it, or works on one of its savepoints. */
  command(turn: number, command: TurnCommand, savepoint?: string): Promise<void>;
}

/** Kysely's dialect for a database that the kernel holds: queries are compiled here and run there. */
export class RemoteDialect implements Dialect {
  readonly #grammar: EngineGrammar;

  constructor(
    private readonly door: QueryDoor,
    private readonly source: string,
    engine: EngineName,
  ) {
    this.#grammar = grammars[engine];
  }

  createDriver(): Driver {
    return new RemoteDriver(this.door, this.source);
  }

  createQueryCompiler(): QueryCompiler {
    return this.#grammar.compiler();
  }

  createAdapter(): DialectAdapter {
    return this.#grammar.adapter();
  }

  createIntrospector(database: Kysely<any>): DatabaseIntrospector {
    return this.#grammar.introspector(database);
  }
}

class RemoteDriver implements Driver {
  constructor(
    private readonly door: QueryDoor,
    private readonly source: string,
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<RemoteConnection> {
    return new RemoteConnection(this.door, this.source);
  }

  async beginTransaction(connection: RemoteConnection): Promise<void> {
    connection.turn = await this.door.begin(this.source);
  }

  async commitTransaction(connection: RemoteConnection): Promise<void> {
    await connection.end("commit");
  }

  async rollbackTransaction(connection: RemoteConnection): Promise<void> {
    await connection.end("rollback");
  }

  async savepoint({ turn }: RemoteConnection, name: string): Promise<void> {
    if (turn !== undefined) await this.door.command(turn, "savepoint", name);
  }

  async rollbackToSavepoint({ turn }: RemoteConnection, name: string): Promise<void> {
    if (turn !== undefined) await this.door.command(turn, "rollback-to", name);
  }

  async releaseSavepoint({ turn }: RemoteConnection, name: string): Promise<void> {
    if (turn !== undefined) await this.door.command(turn, "release", name);
  }

  async releaseConnection(connection: RemoteConnection): Promise<void> {
    await connection.end("rollback");
  }

  async destroy(): Promise<void> {}
}

class RemoteConnection extends QuietConnection {
  turn: number | undefined;

  constructor(
    private readonly door: QueryDoor,
    private readonly source: string,
  ) {
    super();
  }

  async end(command: "commit" | "rollback"): Promise<void> {
    const { turn } = this;
    this.turn = undefined;
    if (turn !== undefined) await this.door.command(turn, command);
  }

  #told({ sql, parameters, query }: CompiledQuery): ToldQuery {
    return { source: this.source, turn: this.turn, sql, parameters, isRead: query.kind === "SelectQueryNode" };
  }

  protected async run<R>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<R>> {
    const { rows, numAffectedRows, insertId } = await this.door.query(this.#told(query), options?.signal);
    return {
      rows: rows as R[],
      ...(numAffectedRows !== undefined && { numAffectedRows }),
      ...(insertId !== undefined && { insertId }),
    };
  }

  protected async *iterate<R>(
    query: CompiledQuery,
    chunkSize = 100,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<R>> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const { pieces, cancel } = await this.door.stream(this.#told(query), chunkSize);
    // The call has been answered: a signal that had crossed with it would not be followed any longer.
    // When the channel has ended, the stream says so itself.
    const end = () => void cancel().catch(() => undefined);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
    try {
      for await (const rows of pieces) yield { rows: rows as R[] };
    } finally {
      signal?.removeEventListener("abort", end);
    }
  }
}

import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import type { EngineName } from "@longbox/sdk";
import type { TurnCommand } from "../../../storage/queries/held-turns.js";
import type { ToldQuery, ToldRows } from "../agreement.js";
import { grammars, type EngineGrammar } from "./engine-grammars.js";

/** What the kernel does for the databases of the plugin. */
export interface QueryDoor {
  query(query: ToldQuery): Promise<ToldRows>;
  /** Its rows, so many at a time. */
  stream(query: ToldQuery, chunkSize: number): Promise<AsyncIterable<readonly unknown[]>>;
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

class RemoteConnection implements DatabaseConnection {
  turn: number | undefined;

  constructor(
    private readonly door: QueryDoor,
    private readonly source: string,
  ) {}

  async end(command: "commit" | "rollback"): Promise<void> {
    const { turn } = this;
    this.turn = undefined;
    if (turn !== undefined) await this.door.command(turn, command);
  }

  #told({ sql, parameters, query }: CompiledQuery): ToldQuery {
    return { source: this.source, turn: this.turn, sql, parameters, isRead: query.kind === "SelectQueryNode" };
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, numAffectedRows, insertId } = await this.door.query(this.#told(query));
    return {
      rows: rows as R[],
      ...(numAffectedRows !== undefined && { numAffectedRows }),
      ...(insertId !== undefined && { insertId }),
    };
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize = 100): AsyncIterableIterator<QueryResult<R>> {
    for await (const rows of await this.door.stream(this.#told(query), chunkSize)) yield { rows: rows as R[] };
  }
}

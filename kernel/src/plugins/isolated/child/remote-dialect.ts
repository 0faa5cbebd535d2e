import {
  SqliteAdapter,
  SqliteIntrospector,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import type { EngineName } from "@longbox/sdk";
import { SqliteCompiler } from "../../../storage/sqlite/sqlite-compiler.js";
import type { TurnCommand } from "../../../storage/queries/held-turns.js";
import type { ToldQuery, ToldRows } from "../agreement.js";
import { EngineNotIsolated } from "./refusals.js";

/** What the kernel does for the databases of the plugin. */
export interface QueryDoor {
  query(query: ToldQuery): Promise<ToldRows>;
  /** Begins a transaction, which holds the database until it ends. @returns the number of the turn */
  begin(source: string): Promise<number>;
  /** Ends it, or works on one of its savepoints. */
  command(turn: number, command: TurnCommand, savepoint?: string): Promise<void>;
}

const compilers: Partial<Record<EngineName, () => QueryCompiler>> = { sqlite: () => new SqliteCompiler() };

/** Kysely's dialect for a database that the kernel holds: queries are compiled here and run there. */
export class RemoteDialect implements Dialect {
  constructor(
    private readonly door: QueryDoor,
    private readonly source: string,
    private readonly engine: EngineName,
  ) {}

  createDriver(): Driver {
    return new RemoteDriver(this.door, this.source);
  }

  createQueryCompiler(): QueryCompiler {
    const make = compilers[this.engine];
    if (!make)
      throw new EngineNotIsolated(`queries for the engine "${this.engine}" cannot be compiled outside of the server.`);
    return make();
  }

  createAdapter(): SqliteAdapter {
    return new WaitingAdapter();
  }

  createIntrospector(database: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }
}

/** The kernel queues by itself. */
class WaitingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
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

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const isRead = query.kind === "SelectQueryNode";
    const { rows, numAffectedRows, insertId } = await this.door.query({
      source: this.source,
      turn: this.turn,
      sql,
      parameters,
      isRead,
    });
    return {
      rows: rows as R[],
      ...(numAffectedRows !== undefined && { numAffectedRows }),
      ...(insertId !== undefined && { insertId }),
    };
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize = 100): AsyncIterableIterator<QueryResult<R>> {
    const { rows } = await this.executeQuery<R>(query);
    for (let at = 0; at < rows.length; at += chunkSize) yield { rows: rows.slice(at, at + chunkSize) };
  }
}

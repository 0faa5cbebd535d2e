import {
  PostgresAdapter,
  SqliteAdapter,
  SqliteIntrospector,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Kysely,
  type QueryCompiler,
} from "kysely";
import type { EngineName } from "@longbox/sdk";
import { PostgresCompiler } from "../../../storage/postgres/postgres-compiler.js";
import { SchemaIntrospector } from "../../../storage/postgres/schema-introspector.js";
import { SqliteCompiler } from "../../../storage/sqlite/sqlite-compiler.js";

/** How queries for an engine are written. The kernel's drivers write them in the same way. */
export interface EngineGrammar {
  compiler(): QueryCompiler;
  adapter(): DialectAdapter;
  introspector(database: Kysely<any>): DatabaseIntrospector;
}

/** The kernel queues by itself. */
class WaitingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export const grammars: Readonly<Record<EngineName, EngineGrammar>> = {
  sqlite: {
    compiler: () => new SqliteCompiler(),
    adapter: () => new WaitingAdapter(),
    introspector: (database) => new SqliteIntrospector(database),
  },
  postgres: {
    compiler: () => new PostgresCompiler(),
    adapter: () => new PostgresAdapter(),
    introspector: (database) => new SchemaIntrospector(database),
  },
};

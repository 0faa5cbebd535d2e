import { PostgresAdapter, sql, type Kysely } from "kysely";
import type { EngineName } from "@longbox/sdk";

/** How the full-text index of an engine is searched. */
export type SearchSyntax = "fts4" | "fts5" | "tsvector";

export function engineOf(database: Kysely<any>): EngineName {
  return database.getExecutor().adapter instanceof PostgresAdapter ? "postgres" : "sqlite";
}

/** How the full-text index of this name is searched. */
export async function searchSyntaxOf(database: Kysely<any>, name: string): Promise<SearchSyntax> {
  if (engineOf(database) === "postgres") return "tsvector";
  const made = await sql<{ sql: string }>`select sql from sqlite_master where name = ${`fulltext_${name}`}`.execute(
    database,
  );
  return /using fts5/i.test(made.rows[0]?.sql ?? "") ? "fts5" : "fts4";
}

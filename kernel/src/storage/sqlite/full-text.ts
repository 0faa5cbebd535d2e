import { sql, type Expression, type Kysely, type SqlBool } from "kysely";
import type { FullText } from "@longbox/sdk";
import { indexedText, searchedWords } from "../engines/search-words.js";

/** How one SQLite spells a full-text index. */
export interface FullTextSyntax {
  create(table: string, columns: readonly string[]): string;
  /** Parts that follow each other, the last one as a prefix. They hold letters, digits and marks only. */
  prefix(parts: readonly string[]): string;
}

/** Keeps no second copy of the text: rows are found by id, and read from the plugin's own tables. */
export const fts5: FullTextSyntax = {
  create: (table, columns) =>
    `create virtual table ${quoted(table)} using fts5(${columns.map(quoted).join(", ")}, content='', contentless_delete=1, prefix='2 3', tokenize='ascii')`,
  prefix: (parts) => `"${parts.join(" ")}"*`,
};

export const fts4: FullTextSyntax = {
  create: (table, columns) =>
    `create virtual table ${quoted(table)} using fts4(${columns.map(quoted).join(", ")}, prefix="2,3", tokenize=simple)`,
  prefix: (parts) => `"${parts.join(" ")}*"`,
};

/** The index that is meant. */
export interface FullTextOptions {
  readonly syntax: FullTextSyntax;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Opens the index, making it when it is not there or was made with other columns or by another driver. */
export async function openFullText(
  database: Kysely<any>,
  { syntax, name, columns }: FullTextOptions,
): Promise<FullText> {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError(
      `"${name}" is not a name for a full-text index: use lower-case letters, digits and underscores.`,
    );
  const table = `fulltext_${name}`;
  const create = syntax.create(table, columns);
  const empty = await database.transaction().execute(async (transaction) => {
    const found = await sql<{
      sql: string;
    }>`select sql from sqlite_master where type = 'table' and name = ${table}`.execute(transaction);
    if (found.rows[0]?.sql.toLowerCase() === create.toLowerCase()) return false;
    await sql.raw(`drop table if exists ${quoted(table)}`).execute(transaction);
    await sql.raw(create).execute(transaction);
    return true;
  });
  return new SqlFullText({ table, columns, syntax, empty });
}

export class SqlFullText implements FullText {
  readonly empty: boolean;
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #syntax: FullTextSyntax;

  constructor(made: { table: string; columns: readonly string[]; syntax: FullTextSyntax; empty: boolean }) {
    this.#table = made.table;
    this.#columns = made.columns;
    this.#syntax = made.syntax;
    this.empty = made.empty;
  }

  async put(
    database: Kysely<any>,
    rows: ReadonlyArray<{ readonly id: number } & Readonly<Record<string, string | number>>>,
  ): Promise<void> {
    const columns = sql.join([sql.ref("rowid"), ...this.#columns.map((column) => sql.ref(column))]);
    const several = Math.floor(500 / (this.#columns.length + 1));
    for (let start = 0; start < rows.length; start += several) {
      const batch = rows.slice(start, start + several);
      await this.remove(
        database,
        batch.map((row) => row.id),
      );
      const values = sql.join(
        batch.map(
          (row) =>
            sql`(${sql.join([row.id, ...this.#columns.map((column) => indexedText(String(row[column] ?? "")))])})`,
        ),
      );
      await sql`insert into ${sql.table(this.#table)} (${columns}) values ${values}`.execute(database);
    }
  }

  async remove(database: Kysely<any>, ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += 500) {
      await sql`delete from ${sql.table(this.#table)} where rowid in (${sql.join(ids.slice(start, start + 500))})`.execute(
        database,
      );
    }
  }

  async clear(database: Kysely<any>): Promise<void> {
    await sql.raw(`drop table ${quoted(this.#table)}`).execute(database);
    await sql.raw(this.#syntax.create(this.#table, this.#columns)).execute(database);
  }

  /** What was typed is data: only its words are taken, each in quotes, so that no query syntax can come from it. */
  matches(idColumn: string, text: string): Expression<SqlBool> {
    const words = searchedWords(text);
    if (words.length === 0) return sql<SqlBool>`1 = 0`;
    const query = words.map((parts) => this.#syntax.prefix(parts)).join(" ");
    return sql<SqlBool>`${sql.ref(idColumn)} in (select rowid from ${sql.table(this.#table)} where ${sql.table(this.#table)} match ${query})`;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

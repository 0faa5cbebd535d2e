import { sql, type Expression, type Kysely, type SqlBool } from "kysely";
import type { FullText } from "@longbox/sdk";
import { indexedText, searchedWords } from "../engines/search-words.js";
import { quoted } from "./quoted.js";

/** PostgreSQL keeps no position beyond this one, and no longer word, in bytes. */
const lastPosition = 16_383;
const longestWordBytes = 2_046;

/**
 * Opens the index, making it when it is not there or has other columns. Words are split and folded by Longbox, so
 * that PostgreSQL's own configuration of languages has no part in what is found.
 */
export async function openPostgresFullText(
  database: Kysely<any>,
  name: string,
  columns: readonly string[],
): Promise<FullText> {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError(
      `"${name}" is not a name for a full-text index: use lower-case letters, digits and underscores.`,
    );
  const table = `fulltext_${name}`;
  const made = columns.join(" ");
  const empty = await database.transaction().execute(async (transaction) => {
    const found = await sql<{ columns: string }>`
      select col_description(to_regclass(${quoted(table)}), 2) as columns
      where to_regclass(${quoted(table)}) is not null`.execute(transaction);
    if (found.rows[0]?.columns === made) return false;
    await sql`drop table if exists ${sql.table(table)}`.execute(transaction);
    await sql`create table ${sql.table(table)} (id bigint primary key, words tsvector not null)`.execute(transaction);
    await sql`comment on column ${sql.table(table)}.words is ${sql.lit(made)}`.execute(transaction);
    // Otherwise each search reads the rows that were put last, up to 4 MB of them, one by one.
    await sql`create index ${sql.ref(`${table}_words`)} on ${sql.table(table)} using gin (words) with (fastupdate = off)`.execute(
      transaction,
    );
    return true;
  });
  return new PostgresFullText(table, columns, empty);
}

export class PostgresFullText implements FullText {
  readonly empty: boolean;
  readonly #table: string;
  readonly #columns: readonly string[];

  constructor(table: string, columns: readonly string[], empty: boolean) {
    this.#table = table;
    this.#columns = columns;
    this.empty = empty;
  }

  async put(
    database: Kysely<any>,
    rows: ReadonlyArray<{ readonly id: number } & Readonly<Record<string, string | number>>>,
  ): Promise<void> {
    const several = 500;
    for (let start = 0; start < rows.length; start += several) {
      const batch = new Map(rows.slice(start, start + several).map((row) => [row.id, row]));
      const ids = [...batch.keys()];
      const words = [...batch.values()].map((row) =>
        vectorOf(this.#columns.map((column) => indexedText(String(row[column] ?? "")))),
      );
      await sql`
        insert into ${sql.table(this.#table)} (id, words)
        select id, words::tsvector from unnest(${list(ids)}::bigint[], ${list(words)}::text[]) as given (id, words)
        on conflict (id) do update set words = excluded.words`.execute(database);
    }
  }

  async remove(database: Kysely<any>, ids: readonly number[]): Promise<void> {
    await sql`delete from ${sql.table(this.#table)} where id = any(${list(ids)}::bigint[])`.execute(database);
  }

  async clear(database: Kysely<any>): Promise<void> {
    await sql`delete from ${sql.table(this.#table)}`.execute(database);
  }

  /** What was typed is data: only its words are taken, each in quotes, so that no query syntax can come from it. */
  matches(idColumn: string, text: string): Expression<SqlBool> {
    const words = searchedWords(text);
    if (words.length === 0) return sql<SqlBool>`1 = 0`;
    const query = words.map(queryOf).join(" & ");
    return sql<SqlBool>`${sql.ref(idColumn)} in (select id from ${sql.table(this.#table)} where words @@ ${query}::tsquery)`;
  }
}

/** A list as one parameter. */
function list(values: readonly (number | string)[]) {
  return sql.val(values);
}

/** The parts of a word follow each other, the last one as a prefix. They hold letters, digits and marks only. */
function queryOf(parts: readonly string[]): string {
  const terms = parts.map((part, index) => `'${part}'${index === parts.length - 1 ? ":*" : ""}`);
  return `(${terms.join(" <-> ")})`;
}

/** The words of all columns with their places; between two columns one is left out, so that no sequence crosses it. */
function vectorOf(texts: readonly string[]): string {
  const words: string[] = [];
  let place = 0;
  for (const text of texts) {
    for (const word of text.split(" ")) {
      place += 1;
      if (word === "" || Buffer.byteLength(word) > longestWordBytes) continue;
      words.push(`'${word}':${Math.min(place, lastPosition)}`);
    }
    place += 1;
  }
  return words.join(" ");
}

import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from "kysely";
import { isAmong } from "./engine-functions.js";

/**
 * The rows of a query in which a column has one of these texts.
 *
 * Work that goes by name, such as a scan of new files, mostly finds none. One look at the range from the first to the
 * last of the texts then answers for all of them.
 * @example const known = await findAmong(transaction.selectFrom("item").selectAll(), "path", paths);
 */
export async function findAmong<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  column: string,
  texts: readonly string[],
): Promise<Row[]> {
  if (texts.length === 0) return [];
  const first = await query.clearOrderBy().where(isInRange(column, texts)).limit(1).executeTakeFirst();
  return first === undefined ? [] : query.where(isAmong(column, texts)).execute();
}

/** Characters whose order is not that of their UTF-8 bytes, and the one in whose place databases keep another. */
// oxlint-disable-next-line no-control-regex
const outOfOrder = /[\0\uD800-\uFFFF]/;

/** Whether a column lies between the first and the last of the texts, by their UTF-8 bytes, as engines keep them. */
function isInRange(column: string, texts: readonly string[]): Expression<SqlBool> {
  const precedes = texts.some((text) => outOfOrder.test(text))
    ? hasLesserBytes
    : (one: string, other: string) => one < other;
  const least = texts.reduce((found, text) => (precedes(text, found) ? text : found));
  const greatest = texts.reduce((found, text) => (precedes(found, text) ? text : found));
  return sql<SqlBool>`(${sql.ref(column)} >= ${least} and ${sql.ref(column)} <= ${greatest})`;
}

function hasLesserBytes(one: string, other: string): boolean {
  return Buffer.compare(storedBytes(one), storedBytes(other)) < 0;
}

function storedBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll("\0", "\uFFFD"));
}

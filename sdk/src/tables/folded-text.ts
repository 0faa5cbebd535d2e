import { sql, type Expression, type SqlBool } from "kysely";
import { foldText } from "../folding/fold-text.js";

/** Sorts after every text that begins like the one before it. */
const last = "\u{10ffff}";

/** The condition that a column of folded text begins with this text. An index on the column serves it. */
export function beginsWith(column: string, text: string): Expression<SqlBool> {
  const folded = foldText(text);
  return sql<SqlBool>`(${sql.ref(column)} >= ${folded} and ${sql.ref(column)} < ${folded + last})`;
}

/** The condition that a column of folded text contains this text anywhere. Every row is looked at. */
export function containsText(column: string, text: string): Expression<SqlBool> {
  const pattern = `%${foldText(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
  // SQLite looks at a pattern that is a parameter alone, and prepares the statement again each time it is given one.
  return sql<SqlBool>`${sql.ref(column)} like (${pattern} || '') escape '\\'`;
}

import { LongboxError } from "@longbox/sdk";

/** A statement that reaches outside of the plugin's own tables. */
class StatementRefused extends LongboxError {
  constructor(word: string) {
    super("forbidden", "kernel/statement-refused", `An isolated plugin may not run ${word || "this"} as a statement.`, {
      word,
    });
  }
}

const allowed = new Set([
  "select",
  "values",
  "with",
  "insert",
  "replace",
  "update",
  "delete",
  "create",
  "drop",
  "alter",
  "reindex",
  "analyze",
]);
/** Spaces, comments, empty statements and a byte order mark. */
const before = /^(?:[\s;\uFEFF]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/;

/**
 * Lets through statements on the plugin's own tables. Others could open files (`attach`, `vacuum into`), change how the engine
 * works (`pragma`), or end the transaction of another (`commit`). An engine runs only the first statement of a text.
 */
export function requireOwnStatement(sql: string): void {
  const word = (/^[a-z]+/i.exec(sql.slice(before.exec(sql)![0].length))?.[0] ?? "").toLowerCase();
  if (!allowed.has(word)) throw new StatementRefused(word);
}

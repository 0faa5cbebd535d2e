import { LongboxError, type EngineName } from "@longbox/sdk";

/** A statement that reaches outside of the plugin's own tables. */
class StatementRefused extends LongboxError {
  constructor(word: string) {
    super("forbidden", "kernel/statement-refused", `An isolated plugin may not run ${word || "this"} as a statement.`, {
      word,
    });
  }
}

const allowed: Readonly<Record<EngineName, RegExp>> = {
  sqlite: /^(?:select|values|with|insert|replace|update|delete|create|drop|alter|reindex|analyze)\b/i,
  postgres:
    /^(?:select|values|with|insert|update|delete|merge|analyze|(?:create|drop|alter)\s+(?:unique\s+)?(?:table|index|view|sequence)|create\s+or\s+replace\s+view|reindex\s+(?:table|index))\b/i,
};
/**
 * What PostgreSQL has that changes the session, takes locks on names, runs text as SQL, or tells or keeps something
 * outside of the plugin's schema, wherever it is named.
 */
const hiddenNames = [
  ...["set_config", "pg_settings", "pg_(?:try_)?advisory_\\w*", "pg_notify", "pg_logical_emit_message"],
  ...["lo_(?:creat|from_bytea|import)\\w*", "(?:query|cursor)_to_xml\\w*", "ts_stat", "ts_rewrite", "dblink\\w*"],
];
/** A name that is spelled in numbers of its characters would hide one. */
const hidden = new RegExp(`\\b(?:${hiddenNames.join("|")})|U&"`, "i");

/**
 * Lets through statements on the plugin's own tables. Others could open files (`attach`, `vacuum into`), change how the
 * engine works (`pragma`, `set`), make code that runs in it (`create function`), or end the transaction of another
 * (`commit`). An engine runs only the first statement of a text, or none.
 * @throws {LongboxError} `kernel/statement-refused`
 */
export function requireOwnStatement(sql: string, engine: EngineName): void {
  const text = sql.slice(beginningOf(sql, engine));
  if (!allowed[engine].test(text)) throw new StatementRefused(firstWords(text));
  const [word] = (engine === "postgres" && hidden.exec(sql)) || [];
  if (word !== undefined) throw new StatementRefused(word);
}

function firstWords(text: string): string {
  return (/^(?:(?:create|drop|alter)\s+)?[a-z]+/i.exec(text)?.[0] ?? "").toLowerCase().slice(0, 40);
}

/** Where the first statement begins, after spaces, comments, empty statements and a byte order mark. */
function beginningOf(sql: string, engine: EngineName): number {
  const blank = /[\s;\uFEFF]*/y;
  for (let at = 0; ;) {
    blank.lastIndex = at;
    blank.exec(sql);
    at = blank.lastIndex;
    if (sql.startsWith("--", at)) at = endOfLine(sql, at, engine);
    else if (sql.startsWith("/*", at)) at = endOfComment(sql, at, engine);
    else return at;
  }
}

/** For PostgreSQL, a carriage return ends a comment as well. */
function endOfLine(sql: string, from: number, engine: EngineName): number {
  const length = sql.slice(from).search(engine === "postgres" ? /[\n\r]/ : /\n/);
  return length < 0 ? sql.length : from + length;
}

/** For PostgreSQL, a comment can have others inside. */
function endOfComment(sql: string, from: number, engine: EngineName): number {
  const mark = engine === "postgres" ? /\/\*|\*\//g : /\*\//g;
  mark.lastIndex = from + 2;
  for (let depth = 1; depth > 0;) {
    const found = mark.exec(sql);
    if (!found) return sql.length;
    depth += found[0] === "/*" ? 1 : -1;
  }
  return mark.lastIndex;
}

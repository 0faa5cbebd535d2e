import { LongboxError, type EngineName } from "@longbox/sdk";

/** A statement that reaches outside of the plugin's own tables. */
class StatementRefused extends LongboxError {
  constructor(word: string) {
    super("forbidden", "kernel/statement-refused", `An isolated plugin may not run ${word || "this"} as a statement.`, {
      word,
    });
  }
}

/** Spaces, comments, empty statements and a byte order mark. */
const before = /^(?:[\s;\uFEFF]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/;

const allowed: Readonly<Record<EngineName, RegExp>> = {
  sqlite: /^(?:select|values|with|insert|replace|update|delete|create|drop|alter|reindex|analyze)\b/i,
  postgres:
    /^(?:select|values|with|insert|update|delete|merge|analyze|(?:create|drop|alter)\s+(?:unique\s+)?(?:table|index|view|sequence)|create\s+or\s+replace\s+view|reindex\s+(?:table|index))\b/i,
};
/**
 * Functions of PostgreSQL that change the session, take locks on names, or run text as SQL, wherever they are named.
 * A name that is spelled in numbers of its characters would hide one.
 */
const hidden = /set_config|pg_(?:try_)?advisory_\w*|(?:query|cursor)_to_xml\w*|ts_stat|ts_rewrite|dblink\w*|U&"/i;

/**
 * Lets through statements on the plugin's own tables. Others could open files (`attach`, `vacuum into`), change how the engine
 * works (`pragma`, `set`), make code that runs in it (`create function`), or end the transaction of another (`commit`). An engine
 * runs only the first statement of a text, or none.
 * @throws {LongboxError} `kernel/statement-refused`
 */
export function requireOwnStatement(sql: string, engine: EngineName): void {
  const text = sql.slice(before.exec(sql)![0].length);
  if (!allowed[engine].test(text)) throw new StatementRefused(firstWords(text));
  const [word] = (engine === "postgres" && hidden.exec(sql)) || [];
  if (word !== undefined) throw new StatementRefused(word);
}

function firstWords(text: string): string {
  return (/^(?:(?:create|drop|alter)\s+)?[a-z]+/i.exec(text)?.[0] ?? "").toLowerCase().slice(0, 40);
}

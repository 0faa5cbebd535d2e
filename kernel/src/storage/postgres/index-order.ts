import type { Run } from "./schema-catalogue.js";

/**
 * The keys of an index such that PostgreSQL can read rows by it in the order of SQLite's index, which has nulls before
 * all other values: a query that says where nulls come in SQLite's order needs no sorting then.
 * @param definition - what follows the name of the table: keys in parentheses, and perhaps a condition
 * @param nullable - the columns of the table that may be null
 */
export function inOrderOfSqlite(definition: string, nullable: readonly string[]): string {
  const { keys, condition } = partsOf(definition);
  const set = new Set([...condition.matchAll(/(\w+)"?\s+is\s+not\s+null/gi)].map(([, column]) => column));
  const mayBeNull = new Set(nullable.filter((column) => !set.has(column)));
  const ordered = keys.map(plain).map((key) => {
    if (!(key.match(/\w+/g) ?? []).some((word) => mayBeNull.has(word))) return key;
    return `${key} NULLS ${/\sdesc$/i.test(key) ? "LAST" : "FIRST"}`;
  });
  return `(${ordered.join(", ")})${condition}`;
}

/** The keys of an index as every engine takes them, which SQLite keeps in its own order anyway. */
export function withoutOrderOfNulls(definition: string): string {
  const { keys, condition } = partsOf(definition);
  return `(${keys.map(plain).join(", ")})${condition}`;
}

/** Makes those indexes of the current schema again that have nulls elsewhere than SQLite's. Run it in a transaction. */
export async function orderIndexes(run: Run): Promise<void> {
  const { rows } = await run(`
    select n.relname as name, pg_get_indexdef(i.indexrelid, 0, true) as text,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and not a.attnotnull) as nullable
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
    where t.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))`);
  for (const { name, text, nullable } of rows as { name: string; text: string; nullable: string[] }[]) {
    const [, start, definition] = /^(.* USING btree )(\(.*)$/s.exec(text) ?? [];
    if (start === undefined || definition === undefined) continue;
    const ordered = inOrderOfSqlite(definition, nullable);
    if (ordered === definition) continue;
    await run(`drop index "${name.replaceAll('"', '""')}"`);
    await run(start + ordered);
  }
}

const plain = (key: string): string => key.trim().replace(/\s+nulls\s+(?:first|last)$/i, "");

/** Splits at the commas that are in no parentheses, names or texts. */
function partsOf(definition: string): { readonly keys: readonly string[]; readonly condition: string } {
  const keys = [""];
  let [depth, end] = [0, 0];
  for (const { 0: token, index } of definition.matchAll(/"[^"]*"|'[^']*'|[(),]|[^"'(),]+/g)) {
    if (token === ")") depth -= 1;
    end = index + token.length;
    if (depth === 0 && token === ")") break;
    if (depth === 1 && token === ",") keys.push("");
    else if (depth > 0) keys[keys.length - 1] += token;
    if (token === "(") depth += 1;
  }
  return { keys, condition: definition.slice(end) };
}

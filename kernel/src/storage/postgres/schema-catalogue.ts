import { quoted, quotedText } from "./quoted.js";

/** Runs a statement in the schema that is meant. */
export type Run = (text: string) => Promise<{ readonly rows: any[] }>;

interface NumberedColumn {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

/** The columns of the current schema that PostgreSQL numbers, with what counts for them. */
export async function numberedColumns(run: Run): Promise<readonly NumberedColumn[]> {
  const { rows } = await run(`
    select t.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(t.relname), a.attname) as sequence
    from pg_attribute a join pg_class t on t.oid = a.attrelid
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and a.attidentity <> '' and a.attnum > 0`);
  return rows as NumberedColumn[];
}

/** Makes further numbers larger than those of rows that brought their own. */
export async function advanceNumbers(run: Run): Promise<void> {
  for (const { table, column, sequence } of await numberedColumns(run)) {
    await run(`
      select setval(${quotedText(sequence)}, highest)
      from (select max(${quoted(column)}) as highest from ${quoted(table)}) as held
      where highest > (select case when is_called then last_value else 0 end from ${sequence})`);
  }
}

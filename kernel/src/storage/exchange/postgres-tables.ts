import { inOrderOfSqlite, withoutOrderOfNulls } from "../postgres/index-order.js";
import { quotedText } from "../postgres/quoted.js";
import type { Run } from "../postgres/schema-catalogue.js";
import { numberedColumns } from "../postgres/schema-catalogue.js";
import {
  createIndex,
  createTable,
  foreignKey,
  isExchanged,
  quoted,
  type ColumnShape,
  type ForeignKeyShape,
  type IndexShape,
  type TableShape,
} from "./table-shape.js";

const typeOf: Readonly<Record<string, ColumnShape["type"]>> = {
  bigint: "integer",
  integer: "integer",
  smallint: "integer",
  boolean: "integer",
  "double precision": "real",
  real: "real",
  bytea: "bytes",
};
const nameOf: Readonly<Record<ColumnShape["type"], string>> = {
  integer: "bigint",
  real: "double precision",
  text: 'text collate "C"',
  bytes: "bytea",
};
const actions: Readonly<Record<string, string>> = {
  a: "no action",
  r: "restrict",
  c: "cascade",
  n: "set null",
  d: "set default",
};

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: number;
  readonly default: string | null;
  readonly numbered: number;
}

interface ConstraintRow {
  readonly table: string;
  readonly kind: "p" | "u" | "f";
  readonly columns: readonly string[];
  readonly target: string | null;
  readonly targets: readonly string[];
  readonly deleted: string;
  readonly updated: string;
}

/** The tables of the current schema. */
export async function postgresTables(run: Run): Promise<TableShape[]> {
  const columns = Map.groupBy((await run(columnsQuery)).rows as ColumnRow[], ({ table }) => table);
  const constraints = (await run(constraintsQuery)).rows as ConstraintRow[];
  const indexes = (await run(indexesQuery)).rows as (IndexRow & { table: string })[];
  const numbers = await lastNumbers(run);
  return [...columns]
    .filter(([name]) => isExchanged(name))
    .map(([name, rows]) => {
      const own = constraints.filter(({ table }) => table === name);
      return {
        name,
        columns: rows.map(columnOf),
        primaryKey: own.find(({ kind }) => kind === "p")?.columns ?? [],
        uniques: own.filter(({ kind }) => kind === "u").map((unique) => unique.columns),
        foreignKeys: own.filter(({ kind }) => kind === "f").map(keyOf),
        indexes: indexes.filter(({ table }) => table === name).map(indexOf),
        lastNumber: numbers.get(name) ?? 0,
      };
    });
}

const columnsQuery = `
  select t.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    not a.attnotnull as nullable, pg_get_expr(d.adbin, d.adrelid) as default, a.attidentity <> '' as numbered
  from pg_class t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
  order by t.relname, a.attnum`;

const constraintsQuery = `
  select t.relname as table, c.contype as kind, o.relname as target, c.confdeltype as deleted, c.confupdtype as updated,
    array(select a.attname::text from unnest(c.conkey) with ordinality k (n, i)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by i) as columns,
    array(select a.attname::text from unnest(c.confkey) with ordinality k (n, i)
      join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by i) as targets
  from pg_constraint c join pg_class t on t.oid = c.conrelid left join pg_class o on o.oid = c.confrelid
  where c.connamespace = current_schema()::regnamespace and c.contype in ('p', 'u', 'f')
  order by t.relname, c.conname`;

const indexesQuery = `
  select t.relname as table, n.relname as name, i.indisunique as unique, pg_get_indexdef(i.indexrelid, 0, true) as text
  from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
  where t.relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
  order by t.relname, n.relname`;

interface IndexRow {
  readonly name: string;
  readonly unique: number;
  readonly text: string;
}

function columnOf({ name, type, nullable, default: value, numbered }: ColumnRow): ColumnShape {
  const kind = typeOf[type] ?? "text";
  return {
    name,
    type: kind,
    isNullable: nullable === 1,
    defaultTo: value === null ? undefined : literalOf(value, kind),
    isNumbered: numbered === 1,
  };
}

/** `'-1'::integer` is `-1`, and `'red'::text` is `'red'`. */
function literalOf(value: string, type: ColumnShape["type"]): string {
  const literal = withoutCasts(value);
  const isNumber = type === "integer" || type === "real";
  return isNumber ? literal.replace(/^'(.*)'$/, "$1").replace(/^\((.*)\)$/, "$1") : literal;
}

function withoutCasts(expression: string): string {
  return expression.replaceAll(/::(?:"char"|[a-z]+(?: (?:precision|varying))?)(?:\(\d+\))?(?: COLLATE "C")?/g, "");
}

function keyOf({ columns, target, targets, deleted, updated }: ConstraintRow): ForeignKeyShape {
  return {
    columns,
    table: target ?? "",
    targets,
    onDelete: actions[deleted] ?? "no action",
    onUpdate: actions[updated] ?? "no action",
  };
}

function indexOf({ name, unique, text }: IndexRow): IndexShape {
  const definition = / USING btree (\(.*)$/s.exec(text)?.[1];
  if (definition === undefined) throw new Error(`The index "${name}" has no definition that can be read.`);
  return { name, isUnique: unique === 1, definition: withoutOrderOfNulls(withoutCasts(definition)) };
}

async function lastNumbers(run: Run): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const { table, sequence } of await numberedColumns(run)) {
    const { rows } = await run(`select case when is_called then last_value else 0 end as last from ${sequence}`);
    numbers.set(table, (rows[0] as { last: number }).last);
  }
  return numbers;
}

/** Makes the tables in the current schema, without what refers to others and without indexes. */
export async function makePostgresTables(run: Run, tables: readonly TableShape[]): Promise<void> {
  for (const table of tables) {
    const numbered = "bigint generated by default as identity primary key";
    await run(createTable(table, (column) => (column.isNumbered ? numbered : nameOf[column.type])));
  }
}

/**
 * Makes what follows the rows: indexes, keys between tables, and the numbers that come next. The planner learns what
 * the tables hold; PostgreSQL would find that out by itself only minutes later.
 */
export async function finishPostgresTables(run: Run, tables: readonly TableShape[]): Promise<void> {
  for (const table of tables) {
    const nullable = table.columns.filter(({ isNullable }) => isNullable).map(({ name }) => name);
    for (const index of table.indexes)
      await run(createIndex(table.name, { ...index, definition: inOrderOfSqlite(index.definition, nullable) }));
    for (const key of table.foreignKeys)
      await run(`alter table ${quoted(table.name)} add ${foreignKey(key)} deferrable`);
    const numbered = table.columns.find((column) => column.isNumbered);
    if (numbered && table.lastNumber > 0) await run(setNumber(table, numbered.name));
    await run(`analyze ${quoted(table.name)}`);
  }
}

function setNumber({ name, lastNumber }: TableShape, column: string): string {
  return `select setval(pg_get_serial_sequence(${quotedText(quoted(name))}, ${quotedText(column)}), ${lastNumber})`;
}

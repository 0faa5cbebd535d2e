import type { Engine } from "../sqlite/engine.js";
import {
  createIndex,
  createTable,
  foreignKey,
  isExchanged,
  names,
  quoted,
  type ColumnShape,
  type ForeignKeyShape,
  type IndexShape,
  type TableShape,
} from "./table-shape.js";

const typeOf: Readonly<Record<string, ColumnShape["type"]>> = {
  INTEGER: "integer",
  REAL: "real",
  TEXT: "text",
  BLOB: "bytes",
};
const nameOf: Readonly<Record<ColumnShape["type"], string>> = {
  integer: "integer",
  real: "real",
  text: "text",
  bytes: "blob",
};

interface IndexRow {
  readonly name: string;
  readonly unique: number;
  /** `c` by `create index`, `u` by a constraint, `pk` by the primary key. */
  readonly origin: string;
}

/** The tables of an open SQLite database. */
export function sqliteTables(engine: Engine): TableShape[] {
  const rows = ask<{ name: string; sql: string }>(
    engine,
    "select name, sql from sqlite_master where type = 'table' order by name",
  );
  return rows.filter(({ name }) => isExchanged(name)).map(({ name, sql }) => tableOf(engine, name, sql));
}

function tableOf(engine: Engine, name: string, sql: string): TableShape {
  const columns = ask<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
    engine,
    `select name, type, "notnull", dflt_value, pk from pragma_table_info(?)`,
    name,
  );
  const isCounted = /\bautoincrement\b/i.test(sql);
  const indexes = ask<IndexRow>(engine, `select name, "unique", origin from pragma_index_list(?)`, name);
  return {
    name,
    columns: columns.map((column) => ({
      name: column.name,
      type: typeOf[column.type.toUpperCase()] ?? "text",
      isNullable: column.notnull === 0 && column.pk === 0,
      defaultTo: column.dflt_value ?? undefined,
      isNumbered: isCounted && column.pk > 0,
    })),
    primaryKey: columns
      .filter(({ pk }) => pk > 0)
      .sort((one, other) => one.pk - other.pk)
      .map((column) => column.name),
    uniques: indexes.filter(({ origin }) => origin === "u").map((index) => columnsOf(engine, index.name)),
    foreignKeys: keysOf(engine, name),
    indexes: indexes.filter(({ origin }) => origin === "c").map((index) => indexOf(engine, index)),
    lastNumber: isCounted ? lastNumber(engine, name) : 0,
  };
}

function columnsOf(engine: Engine, index: string): string[] {
  const columns = ask<{ name: string }>(engine, "select name from pragma_index_info(?) order by seqno", index);
  return columns.map(({ name }) => name);
}

function indexOf(engine: Engine, { name, unique }: IndexRow): IndexShape {
  const [row] = ask<{ sql: string }>(engine, "select sql from sqlite_master where type = 'index' and name = ?", name);
  const definition = /\bon\s+(?:"[^"]*"|\w+)\s*(\([\s\S]*)$/i.exec(row?.sql ?? "")?.[1];
  if (definition === undefined) throw new Error(`The index "${name}" has no definition that can be read.`);
  return { name, isUnique: unique === 1, definition };
}

function keysOf(engine: Engine, table: string): ForeignKeyShape[] {
  const rows = ask<{ id: number; table: string; from: string; to: string; on_delete: string; on_update: string }>(
    engine,
    `select id, "table", "from", "to", on_delete, on_update from pragma_foreign_key_list(?) order by id, seq`,
    table,
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    columns: parts.map(({ from }) => from),
    table: parts[0]!.table,
    targets: parts.map(({ to }) => to),
    onDelete: parts[0]!.on_delete.toLowerCase(),
    onUpdate: parts[0]!.on_update.toLowerCase(),
  }));
}

function lastNumber(engine: Engine, table: string): number {
  return ask<{ seq: number }>(engine, "select seq from sqlite_sequence where name = ?", table)[0]?.seq ?? 0;
}

/** Makes the tables in an empty SQLite database, as migrations would. Fill them before the indexes are made. */
export function makeSqliteTables(engine: Engine, tables: readonly TableShape[]): void {
  for (const table of tables) {
    const made = createTable(table, (column) =>
      column.isNumbered ? "integer primary key autoincrement" : nameOf[column.type],
    );
    const keys = table.foreignKeys.map((key) => `, ${foreignKey(key)}`).join("");
    const ends = table.primaryKey.length > 1 ? " strict, without rowid" : " strict";
    engine.run(`${made.slice(0, -1)}${keys})${ends}`, []);
    if (table.lastNumber > 0)
      engine.run("insert into sqlite_sequence (name, seq) values (?, ?)", [table.name, table.lastNumber]);
  }
}

export function makeSqliteIndexes(engine: Engine, tables: readonly TableShape[]): void {
  for (const table of tables) for (const index of table.indexes) engine.run(createIndex(table.name, index), []);
}

/** The statement that inserts a row. */
export function sqliteInsert({ name, columns }: TableShape): string {
  const list = names(columns.map((column) => column.name));
  return `insert into ${quoted(name)} (${list}) values (${columns.map(() => "?").join(", ")})`;
}

function ask<Row>(engine: Engine, sql: string, ...parameters: unknown[]): Row[] {
  return engine.run(sql, parameters).rows as Row[];
}

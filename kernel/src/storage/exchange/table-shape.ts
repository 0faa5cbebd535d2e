/** A column as every engine has it. */
export interface ColumnShape {
  readonly name: string;
  readonly type: "integer" | "real" | "text" | "bytes";
  readonly isNullable: boolean;
  /** The default as a literal of SQL; undefined where there is none. */
  readonly defaultTo: string | undefined;
  /** Whether the engine numbers the rows by this column. */
  readonly isNumbered: boolean;
}

export interface ForeignKeyShape {
  readonly columns: readonly string[];
  readonly table: string;
  readonly targets: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface IndexShape {
  readonly name: string;
  readonly isUnique: boolean;
  /** What follows the name of the table: columns in parentheses, and perhaps a condition. */
  readonly definition: string;
}

/** What a table consists of, in what the engines have in common: as much as migrations by the SDK can make. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKeyShape[];
  readonly indexes: readonly IndexShape[];
  /** The highest number that was given to a row; 0 where none was, or where nothing is numbered. */
  readonly lastNumber: number;
}

/** Full-text indexes can be made again, and the stamp belongs to the file it is in. */
export function isExchanged(table: string): boolean {
  return !table.startsWith("fulltext_") && !table.startsWith("sqlite_") && table !== "longbox_installation";
}

/** The statements that make a table, as text; `typed` names the type of a column, with what makes it numbered. */
export function createTable(table: TableShape, typed: (column: ColumnShape) => string): string {
  const columns = table.columns.map((column) => columnOf(column, table, typed));
  const keys = [
    ...(table.primaryKey.length > 0 && !table.columns.some((column) => column.isNumbered)
      ? [`primary key (${names(table.primaryKey)})`]
      : []),
    ...table.uniques.map((unique) => `unique (${names(unique)})`),
  ];
  return `create table ${quoted(table.name)} (${[...columns, ...keys].join(", ")})`;
}

function columnOf(column: ColumnShape, _table: TableShape, typed: (column: ColumnShape) => string): string {
  const parts = [quoted(column.name), typed(column)];
  if (!column.isNullable && !column.isNumbered) parts.push("not null");
  if (column.defaultTo !== undefined) parts.push(`default ${column.defaultTo}`);
  return parts.join(" ");
}

export function foreignKey(key: ForeignKeyShape): string {
  const actions = [
    ["on delete", key.onDelete],
    ["on update", key.onUpdate],
  ].flatMap(([when, action]) => (action === "no action" ? [] : [`${when} ${action}`]));
  return [
    `foreign key (${names(key.columns)}) references ${quoted(key.table)} (${names(key.targets)})`,
    ...actions,
  ].join(" ");
}

export function createIndex(table: string, { name, isUnique, definition }: IndexShape): string {
  return `create ${isUnique ? "unique " : ""}index ${quoted(name)} on ${quoted(table)} ${definition}`;
}

export function names(columns: readonly string[]): string {
  return columns.map(quoted).join(", ");
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

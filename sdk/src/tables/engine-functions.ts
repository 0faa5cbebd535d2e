import {
  FunctionNode,
  sql,
  ValueNode,
  type Expression,
  type OperationNode,
  type RawBuilder,
  type SqlBool,
} from "kysely";
import type { ColumnValues } from "./column-types.js";
import type { EngineName } from "./migration.js";

/**
 * The names under which the functions below reach the compiler of an engine, which spells them as its database does.
 * Other SQL never contains them.
 */
export const engineFunctions = {
  among: "longbox_is_among",
  rows: "longbox_given_rows",
  perEngine: "longbox_per_engine",
} as const;

/** A column as `"name"` or `"table.name"`, or an expression. */
export type ColumnOrExpression = string | Expression<unknown>;

/**
 * The condition that a column has one of these values, of which there may be any number. They are one parameter, so
 * that the limit on parameters does not apply and all lengths share one prepared statement.
 */
export function isAmong(
  column: ColumnOrExpression,
  values: readonly number[] | readonly string[],
): Expression<SqlBool> {
  return engineFunction(engineFunctions.among, [nodeOf(column), ValueNode.create(values)]);
}

/** The column types that {@link givenRows} can carry. */
export type GivenColumns = Readonly<Record<string, "id" | "instant" | "count" | "flag" | "real" | "text" | "folded">>;

/** A row as {@link givenRows} takes it. */
export type GivenRow<Columns extends GivenColumns> = {
  readonly [Name in keyof Columns]: ColumnValues[Columns[Name]] | null;
};

/**
 * Rows of the caller's as a table, to join or to update from. There may be any number: they are one parameter, or one
 * for each column.
 * @example database.updateTable("item").from(givenRows({ id: "id", place: "count" }, rows).as("given"))
 */
export function givenRows<Columns extends GivenColumns, Row extends GivenRow<Columns>>(
  columns: Columns,
  rows: readonly Row[],
): RawBuilder<{ [Name in keyof Columns]: Row[Name] }> {
  const lists = Object.keys(columns).map((name) => ValueNode.create(rows.map((row) => row[name])));
  return engineFunction(engineFunctions.rows, [ValueNode.create(Object.entries(columns)), ...lists]);
}

/** An expression that engines spell differently, with the reason why the query builder cannot say it. */
export function perEngine<T>(
  spelled: Readonly<Record<EngineName, Expression<T>>> & { readonly reason: string },
): RawBuilder<T> {
  return engineFunction(engineFunctions.perEngine, [
    spelled.sqlite.toOperationNode(),
    spelled.postgres.toOperationNode(),
  ]);
}

function engineFunction<T>(name: string, parts: readonly OperationNode[]): RawBuilder<T> {
  const spoken: Expression<T> = { expressionType: undefined, toOperationNode: () => FunctionNode.create(name, parts) };
  return sql<T>`${spoken}`;
}

function nodeOf(column: ColumnOrExpression): OperationNode {
  return (typeof column === "string" ? sql.ref(column) : column).toOperationNode();
}

import type { ColumnDefinitionBuilder, Expression } from "kysely";

/**
 * The column types that every storage engine has. Nothing else may stand in a migration, so that one text makes the
 * same table everywhere.
 *
 * {@link ColumnValues} names what a row holds for each. Text is compared and sorted by its code points, on every engine.
 */
export interface ColumnTypes {
  /** The id of a row, and a reference to one. Use {@link ColumnTypes.numbered} for the table's own. */
  readonly id: Expression<number>;
  /** A moment: whole milliseconds since 1970. */
  readonly instant: Expression<number>;
  /** A whole number up to 2^53: counts, sizes in bytes, years, positions. */
  readonly count: Expression<number>;
  /** A floating-point number of 64 bits. */
  readonly real: Expression<number>;
  /** Yes or no, kept as 1 or 0. Compare it with a number: no engine takes a bare column as a condition alike. */
  readonly flag: Expression<0 | 1>;
  readonly text: Expression<string>;
  /** Text as `foldText` of the SDK makes it, for searching and sorting. */
  readonly folded: Expression<string>;
  /** The text of a JSON value, never read by the engine. Write it with `JSON.stringify` and parse it with a schema. */
  readonly json: Expression<string>;
  /** Bytes. */
  readonly bytes: Expression<Uint8Array>;
  /** Makes an `id` column the primary key, numbered by the engine. A number is never given twice; read it with `returning`. */
  numbered(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
}

/** What a row holds for each column type; a column without `notNull` may also hold `null`. */
export interface ColumnValues {
  readonly id: number;
  readonly instant: number;
  readonly count: number;
  readonly real: number;
  readonly flag: 0 | 1;
  readonly text: string;
  readonly folded: string;
  readonly json: string;
  readonly bytes: Uint8Array;
}

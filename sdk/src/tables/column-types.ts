import type { ColumnDefinitionBuilder, Expression } from "kysely";

/**
 * The column types that every storage engine supports. Migrations use only these, so that the same code creates the
 * same table everywhere.
 *
 * {@link ColumnValues} names what a row holds for each. Text is compared and sorted by its code points, on every
 * engine.
 */
export interface ColumnTypes {
  /** The id of a row, and a reference to one. Use {@link ColumnTypes.numbered} for the table's own. */
  readonly id: Expression<number>;
  /** A point in time: whole milliseconds since 1970, in UTC. */
  readonly instant: Expression<number>;
  /** A whole number up to 2^53: counts, sizes in bytes, years, positions. */
  readonly count: Expression<number>;
  /** A floating-point number of 64 bits. */
  readonly real: Expression<number>;
  /** A boolean, stored as 1 or 0. Compare it with a number, because engines differ in bare columns as conditions. */
  readonly flag: Expression<0 | 1>;
  readonly text: Expression<string>;
  /** Text as `foldText` of the SDK makes it, for searching and sorting. */
  readonly folded: Expression<string>;
  /** The text of a JSON value, never read by the engine. Write it with `JSON.stringify` and parse it with a schema. */
  readonly json: Expression<string>;
  /** Bytes. */
  readonly bytes: Expression<Uint8Array>;
  /**
   * Makes an `id` column the primary key, numbered by the engine. A number is never given twice; read it with
   * `returning`.
   */
  numbered(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
}

/** The values of each column type in a row; a column without `notNull` may also be `null`. */
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

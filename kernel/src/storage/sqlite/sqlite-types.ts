import { sql } from "kysely";
import type { ColumnTypes } from "@longbox/sdk";

/** The portable column types as SQLite's strict tables know them. */
export const sqliteTypes: ColumnTypes = {
  id: sql<number>`integer`,
  instant: sql<number>`integer`,
  count: sql<number>`integer`,
  real: sql<number>`real`,
  flag: sql<0 | 1>`integer`,
  text: sql<string>`text`,
  folded: sql<string>`text`,
  json: sql<string>`text`,
  bytes: sql<Uint8Array>`blob`,
  numbered: (column) => column.primaryKey().autoIncrement(),
};

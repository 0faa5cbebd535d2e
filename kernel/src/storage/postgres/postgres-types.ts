import { sql } from "kysely";
import type { ColumnTypes } from "@longbox/sdk";

/** Text is compared by its code points whatever the collation of the database is, as in SQLite. */
const text = sql<string>`text collate "C"`;

/** The portable column types as PostgreSQL knows them. */
export const postgresTypes: ColumnTypes = {
  id: sql<number>`bigint`,
  instant: sql<number>`bigint`,
  count: sql<number>`bigint`,
  real: sql<number>`double precision`,
  flag: sql<0 | 1>`bigint`,
  text,
  folded: text,
  json: text,
  bytes: sql<Uint8Array>`bytea`,
  numbered: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
};

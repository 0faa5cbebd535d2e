import { sql } from "kysely";
import type { MigrationRules } from "../engines/migration-rules.js";
import { sqliteTypes } from "./sqlite-types.js";

/** SQLite checks foreign keys as rows change; while tables are made again that is put off to the end of each step. */
export const sqliteMigrationRules: MigrationRules = {
  engine: "sqlite",
  types: sqliteTypes,

  async hasTable(database, name) {
    const found = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(database);
    return found.rows.length > 0;
  },

  async whileTablesChange(connection, run) {
    await sql`pragma foreign_keys = off`.execute(connection);
    try {
      await run();
    } finally {
      await sql`pragma foreign_keys = on`.execute(connection);
    }
  },

  async findBrokenKeys(transaction) {
    const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(transaction);
    return rows[0] && { rows: rows.length, table: rows[0].table };
  },
};

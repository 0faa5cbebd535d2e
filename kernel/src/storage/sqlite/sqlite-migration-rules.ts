import { sql } from "kysely";
import type { MigrationRules } from "../engines/migration-rules.js";
import { sqliteTypes } from "./sqlite-types.js";

/** SQLite checks foreign keys as rows change; while tables are made again that is put off to the end of each step. */
export const sqliteMigrationRules: MigrationRules = {
  engine: "sqlite",
  types: sqliteTypes,

  async hasTable(database, name) {
    // Built, not raw: of a raw statement it is not known that it only reads.
    const tables = database.selectFrom("sqlite_master").where("type", "=", "table").where("name", "=", name);
    return (await tables.select("name").executeTakeFirst()) !== undefined;
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

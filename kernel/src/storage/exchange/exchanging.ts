import type { Logger } from "@longbox/sdk";
import type { PooledConnection } from "../postgres/session.js";
import type { Run } from "../postgres/schema-catalogue.js";
import { SqliteEngine } from "../sqlite/sqlite-engine.js";
import { finishPostgresTables, makePostgresTables, postgresTables } from "./postgres-tables.js";
import { makeSqliteIndexes, makeSqliteTables, sqliteInsert, sqliteTables } from "./sqlite-tables.js";
import { names, quoted, type TableShape } from "./table-shape.js";
import { RowTaking } from "./taking-rows.js";

/** Rows that are held in memory at once. */
const batchRows = 500;

/**
 * Writes the tables of the connection's schema into a new file of SQLite, which both engines take in. Run it inside a
 * transaction that sees one state of the schema.
 */
export async function writeFileOfTables(connection: PooledConnection, path: string): Promise<void> {
  const run: Run = (text) => connection.query(text);
  const tables = await postgresTables(run);
  const engine = new SqliteEngine(path, { journal: "delete" });
  try {
    // Rows come table by table, so that some refer to rows which follow.
    engine.run("pragma foreign_keys = off", []);
    engine.run("begin", []);
    makeSqliteTables(engine, tables);
    for (const table of tables) await writeRows(run, engine, table);
    makeSqliteIndexes(engine, tables);
    engine.run("commit", []);
  } finally {
    engine.close();
  }
}

async function writeRows(run: Run, engine: SqliteEngine, table: TableShape): Promise<void> {
  const insert = sqliteInsert(table);
  const columns = table.columns.map(({ name }) => name);
  await run(`declare longbox_rows no scroll cursor for select ${names(columns)} from ${quoted(table.name)}`);
  for (;;) {
    const { rows } = await run(`fetch ${batchRows} from longbox_rows`);
    if (rows.length === 0) break;
    for (const row of rows as Record<string, unknown>[])
      engine.run(
        insert,
        columns.map((column) => row[column]),
      );
  }
  await run("close longbox_rows");
}

/**
 * Makes the tables of a file of SQLite in the connection's empty schema, with all rows. Run it inside a transaction.
 * @param log - Is told every few seconds how far it is
 */
export async function takeInFile(connection: PooledConnection, path: string, log: Logger): Promise<void> {
  // With values, if only none, a text is one statement: what the file says of indexes was written by a plugin.
  const run: Run = (text) => connection.query(text, []);
  const engine = new SqliteEngine(path, { readOnly: true });
  try {
    const tables = sqliteTables(engine);
    await makePostgresTables(run, tables);
    const taking = new RowTaking(connection, engine, log);
    for (const table of tables) await taking.take(table);
    await finishPostgresTables(run, tables);
  } finally {
    engine.close();
  }
}

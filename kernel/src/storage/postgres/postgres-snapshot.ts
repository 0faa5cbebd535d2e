import { rm } from "node:fs/promises";
import type { DatabaseSnapshot } from "../engines/driver.js";
import { syncPath } from "../documents/durable-file.js";
import { writeFileOfTables } from "../exchange/exchanging.js";
import { databasePath } from "../sqlite/file-database.js";
import { quoted, type ConnectionPool, type PooledConnection } from "./connection-pool.js";
import { translatePostgresFault } from "./postgres-faults.js";

/**
 * The states of schemas as they are now. One transaction sees all of them as long as it lasts, so that a backup takes one
 * connection. It ends when the last of them is released.
 */
export async function snapshotsOf(pool: ConnectionPool, schemas: readonly string[]): Promise<DatabaseSnapshot[]> {
  if (schemas.length === 0) return [];
  const connection = await takenFor(pool, "pg_catalog");
  try {
    await connection.query("begin isolation level repeatable read read only");
    // The state is fixed by the first query.
    await connection.query("select 1");
  } catch (fault) {
    connection.end();
    throw translatePostgresFault(fault);
  }
  let open = schemas.length;
  return schemas.map((schema) => ({
    copyTo: (folder) => copyTo(connection, schema, databasePath({ folder })),
    release: async () => {
      open -= 1;
      if (open === 0) connection.end();
    },
  }));
}

async function copyTo(connection: PooledConnection, schema: string, path: string): Promise<void> {
  try {
    await connection.query(`set local search_path = ${quoted(schema)}`);
    await writeFileOfTables(connection, path);
    await syncPath(path);
  } catch (fault) {
    await rm(path, { force: true });
    throw translatePostgresFault(fault);
  }
}

/** Runs statements in a schema, which may be made by them: all of them come to hold, or none. */
export async function inTransaction(
  pool: ConnectionPool,
  schema: string,
  run: (connection: PooledConnection) => Promise<void>,
): Promise<void> {
  const connection = await takenFor(pool, schema);
  try {
    await connection.query("begin");
    await run(connection);
    await connection.query("commit");
    connection.free();
  } catch (fault) {
    connection.end();
    throw translatePostgresFault(fault);
  }
}

async function takenFor(pool: ConnectionPool, schema: string): Promise<PooledConnection> {
  try {
    return await pool.take({ schema, access: "writing" });
  } catch (fault) {
    throw translatePostgresFault(fault);
  }
}

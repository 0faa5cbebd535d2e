import { rm } from "node:fs/promises";
import type { DatabaseSnapshot } from "../engines/driver.js";
import { syncPath } from "../documents/durable-file.js";
import { writeFileOfTables } from "../exchange/exchanging.js";
import { databasePath } from "../sqlite/database-path.js";
import type { ConnectionPool } from "./pool/connection-pool.js";
import type { PooledConnection, Session } from "./session.js";
import { translatePostgresFault } from "./postgres-faults.js";

const beginReading = "begin isolation level repeatable read read only";

/**
 * The states of schemas as they are now. One transaction keeps this state as long as it lasts: it ends when the last of
 * them is released. Each schema is read in this state by its own role.
 */
export async function snapshotsOf(pool: ConnectionPool, schemas: readonly Session[]): Promise<DatabaseSnapshot[]> {
  if (schemas.length === 0) return [];
  const connection = await takenFor(pool, { schema: "pg_catalog", access: "writing" });
  let state: string;
  try {
    await connection.query(beginReading);
    state = (await connection.query("select pg_export_snapshot() as state")).rows[0].state;
  } catch (fault) {
    connection.end();
    throw translatePostgresFault(fault);
  }
  let open = schemas.length;
  return schemas.map((session) => ({
    copyTo: (folder) => copyTo(pool, { session, state }, databasePath({ folder })),
    release: async () => {
      open -= 1;
      if (open === 0) connection.end();
    },
  }));
}

interface ReadState {
  readonly session: Session;
  /** The name that the server gave to the state. */
  readonly state: string;
}

async function copyTo(pool: ConnectionPool, { session, state }: ReadState, path: string): Promise<void> {
  try {
    const connection = await pool.take(session);
    try {
      await connection.query(beginReading);
      await connection.query(`set transaction snapshot '${state}'`);
      await writeFileOfTables(connection, path);
      await connection.query("commit");
      connection.free();
    } catch (fault) {
      connection.end();
      throw fault;
    }
    await syncPath(path);
  } catch (fault) {
    await rm(path, { force: true });
    throw translatePostgresFault(fault);
  }
}

/** Runs statements in a schema, which may be made by them: all of them come to hold, or none. */
export async function inTransaction(
  pool: ConnectionPool,
  session: Session,
  run: (connection: PooledConnection) => Promise<void>,
): Promise<void> {
  const connection = await takenFor(pool, session);
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

async function takenFor(pool: ConnectionPool, session: Session): Promise<PooledConnection> {
  try {
    return await pool.take(session);
  } catch (fault) {
    throw translatePostgresFault(fault);
  }
}

import type { Client } from "pg";

/** How long PostgreSQL waits for the end of each connection. */
const endLimitMs = 10_000;

/**
 * Ends all other connections of this name, and waits for their end. PostgreSQL notices only after a statement that the
 * process that sent it was killed: until then the statement goes on, and so do its locks.
 */
export async function endFormerConnections(client: Client, name: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, ${endLimitMs}) from pg_stat_activity
     where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
    [name],
  );
}

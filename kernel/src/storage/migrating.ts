import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { LongboxError, type Migration } from "@longbox/sdk";

interface AppliedStep {
  readonly name: string;
  readonly checksum: string;
}

/** Brings a database up to these steps, each in a transaction of its own. @returns how many were taken */
export async function migrate(owner: string, database: Kysely<any>, migrations: readonly Migration[]): Promise<number> {
  const steps = [...migrations].sort((one, other) => (one.name < other.name ? -1 : 1));
  return database.connection().execute(async (connection) => {
    const applied = await appliedSteps(connection);
    refuseWhatDoesNotFit(owner, steps, applied);
    const pending = steps.slice(applied.length);
    if (pending.length === 0) return 0;
    // A table that is made anew under the same name would take the rows that point to it along.
    await sql`pragma foreign_keys = off`.execute(connection);
    try {
      for (const step of pending) await apply(owner, connection, step);
    } finally {
      await sql`pragma foreign_keys = on`.execute(connection);
    }
    return pending.length;
  });
}

/** Reads without making the table, so that a database which will be refused stays as it is. */
async function appliedSteps(database: Kysely<any>): Promise<AppliedStep[]> {
  const table = await sql`select 1 from sqlite_master where type = 'table' and name = 'longbox_migration'`.execute(database);
  if (table.rows.length === 0) return [];
  return (await sql<AppliedStep>`select name, checksum from longbox_migration order by name`.execute(database)).rows;
}

function refuseWhatDoesNotFit(owner: string, steps: readonly Migration[], applied: readonly AppliedStep[]): void {
  const known = new Set(steps.map((step) => step.name));
  const unknown = applied.map((step) => step.name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new LongboxError("conflict", "kernel/database-newer", `The data of "${owner}" was written by a newer version: this one does not know ${unknown.join(", ")}. Install the newer version, or restore a backup.`, { owner, unknown });
  }
  applied.forEach((step, index) => {
    const now = steps[index] as Migration;
    if (now.name !== step.name) throw changed(owner, now.name, `comes before "${step.name}", which has been applied already`);
    if (checksum(now) !== step.checksum) throw changed(owner, now.name, "is not what was applied under that name");
  });
}

function changed(owner: string, name: string, what: string): LongboxError {
  return new LongboxError("conflict", "kernel/migration-changed", `The migration "${name}" of "${owner}" ${what}.`, { owner, name });
}

async function apply(owner: string, connection: Kysely<any>, step: Migration): Promise<void> {
  await connection.transaction().execute(async (transaction) => {
    await sql`create table if not exists longbox_migration (name text primary key, checksum text not null, applied_at text not null)`.execute(transaction);
    await step.up(transaction);
    const broken = await sql<{ table: string }>`pragma foreign_key_check`.execute(transaction);
    if (broken.rows.length > 0) {
      throw new LongboxError("internal", "kernel/migration-breaks-keys", `The migration "${step.name}" of "${owner}" leaves ${broken.rows.length} rows of ${broken.rows[0]?.table} that point nowhere.`);
    }
    await sql`insert into longbox_migration values (${step.name}, ${checksum(step)}, ${new Date().toISOString()})`.execute(transaction);
  });
}

/** Over the statements where they are known: the text of a function depends on how it was compiled. */
function checksum(migration: Migration & { readonly statements?: readonly string[] }): string {
  const text = migration.statements ? JSON.stringify(migration.statements) : migration.up.toString();
  return createHash("sha256").update(text).digest("hex");
}

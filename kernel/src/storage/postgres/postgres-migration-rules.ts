import { sql, type Kysely } from "kysely";
import type { MigrationRules } from "../engines/migration-rules.js";
import { orderIndexes } from "./index-order.js";
import { advanceNumbers } from "./schema-catalogue.js";
import { postgresTypes } from "./postgres-types.js";

interface BrokenKey {
  readonly constraint: string;
  readonly table: string;
}

const foreignKeyViolation = "23503";

/** Foreign keys can be put off to the end of a transaction (see the compiler), which each step does. */
export const postgresMigrationRules: MigrationRules = {
  engine: "postgres",
  types: postgresTypes,

  async hasTable(database, name) {
    const found =
      await sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`.execute(database);
    return found.rows.length > 0;
  },

  async whileTablesChange(connection, run) {
    await run();
    await advanceNumbers((text) => sql.raw<any>(text).execute(connection));
    await connection
      .transaction()
      .execute((transaction) => orderIndexes((text) => sql.raw<any>(text).execute(transaction)));
  },

  async putOffKeys(transaction) {
    await sql`set constraints all deferred`.execute(transaction);
  },

  async findBrokenKeys(transaction) {
    await sql`savepoint longbox_keys`.execute(transaction);
    try {
      await sql`set constraints all immediate`.execute(transaction);
      return undefined;
    } catch (fault) {
      if ((fault as { code?: string }).code !== foreignKeyViolation) throw fault;
      await sql`rollback to longbox_keys`.execute(transaction);
      const key = fault as BrokenKey & Error;
      return { rows: await countBroken(transaction, key), table: key.table };
    }
  },
};

/** How many rows of the table refer by this key to rows that are not there. */
async function countBroken(database: Kysely<any>, { constraint, table }: BrokenKey): Promise<number> {
  const found = await sql<{ from: string; to: string; target: string }>`
    select own.attname as from, other.attname as to, c.confrelid::regclass::text as target
    from pg_constraint c
    cross join lateral unnest(c.conkey, c.confkey) as pair (own, other)
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = pair.own
    join pg_attribute other on other.attrelid = c.confrelid and other.attnum = pair.other
    where c.conname = ${constraint} and c.connamespace = current_schema()::regnamespace`.execute(database);
  const pairs = found.rows.map(({ from, to }) => [sql.ref(`own.${from}`), sql.ref(`other.${to}`)] as const);
  const isSet = sql.join(
    pairs.map(([from]) => sql`${from} is not null`),
    sql` and `,
  );
  const isSame = sql.join(
    pairs.map(([from, to]) => sql`${from} = ${to}`),
    sql` and `,
  );
  const target = sql.raw(found.rows[0]?.target ?? "");
  const counted = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)} as own
    where ${isSet} and not exists (select 1 from ${target} as other where ${isSame})`.execute(database);
  return counted.rows[0]?.rows ?? 0;
}

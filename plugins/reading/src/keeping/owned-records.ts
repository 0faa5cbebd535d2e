import { isAmong } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import type { ReadingTables } from "../tables.js";

const tables = ["progress", "device_place", "history", "later"] as const;

interface HandOver {
  readonly from: number;
  readonly to: number;
}

/** Deletes all rows of a user. */
export async function forgetUser(database: Kysely<ReadingTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Moves all rows of one user to another; where both have a row of a work, that of the new owner is kept. */
export async function handOver(database: Kysely<ReadingTables>, change: HandOver): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) {
      await giveWorks(transaction, table, change);
      await transaction.deleteFrom(table).where("user_id", "=", change.from).execute();
    }
  });
}

async function giveWorks(
  transaction: Transaction<ReadingTables>,
  table: (typeof tables)[number],
  { from, to }: HandOver,
): Promise<void> {
  const own = await transaction.selectFrom(table).select("issue_id").distinct().where("user_id", "=", to).execute();
  const works = own.map((row) => row.issue_id);
  await transaction
    .updateTable(table)
    .set({ user_id: to })
    .where("user_id", "=", from)
    .where(({ not }) => not(isAmong("issue_id", works)))
    .execute();
}

import type { Kysely } from "kysely";
import type { ReaderTables } from "./tables.js";

const tables = ["bookmark", "note", "opinion", "preference"] as const;

/** Deletes all rows of a user. */
export async function forgetUser(database: Kysely<ReaderTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Moves all rows of one user to another; where both have a row, that of the new owner is kept. */
export async function handOver(
  database: Kysely<ReaderTables>,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) {
      const rows = await transaction.selectFrom(table).selectAll().where("user_id", "=", from).execute();
      for (const row of rows)
        await transaction
          .insertInto(table)
          .values({ ...row, user_id: to })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      await transaction.deleteFrom(table).where("user_id", "=", from).execute();
    }
  });
}

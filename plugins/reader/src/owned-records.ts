import type { Kysely } from "kysely";
import type { ReaderTables } from "./tables.js";

/** Deletes all rows of a user. */
export async function forgetUser(database: Kysely<ReaderTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of ["bookmark", "note", "preference"] as const)
      await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Moves all rows of one user to another; where both have a row, that of the new owner is kept. */
export async function handOver(
  database: Kysely<ReaderTables>,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const bookmarks = await transaction.selectFrom("bookmark").selectAll().where("user_id", "=", from).execute();
    for (const row of bookmarks)
      await transaction
        .insertInto("bookmark")
        .values({ ...row, user_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const notes = await transaction.selectFrom("note").selectAll().where("user_id", "=", from).execute();
    for (const row of notes)
      await transaction
        .insertInto("note")
        .values({ ...row, user_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const preferences = await transaction.selectFrom("preference").selectAll().where("user_id", "=", from).execute();
    for (const row of preferences)
      await transaction
        .insertInto("preference")
        .values({ ...row, user_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    for (const table of ["bookmark", "note", "preference"] as const)
      await transaction.deleteFrom(table).where("user_id", "=", from).execute();
  });
}

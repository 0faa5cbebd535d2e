import type { Kysely, Transaction } from "kysely";
import type { ReaderTables } from "./tables.js";

const tables = ["progress", "bookmark", "later", "activity", "preference", "beginning"] as const;

/** Forgets everything that is kept for a user. */
export async function forgetUser(database: Kysely<ReaderTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Hands everything of one user to another, who has nothing yet; where both have a row, the new owner's stays. */
export async function handOver(database: Kysely<ReaderTables>, { from, to }: { from: number; to: number }): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) {
      const rows = await transaction.selectFrom(table).selectAll().where("user_id", "=", from).execute();
      for (const row of rows) await transaction.insertInto(table).values({ ...row, user_id: to } as never).onConflict((conflict) => conflict.doNothing()).execute();
      await transaction.deleteFrom(table).where("user_id", "=", from).execute();
    }
  });
}

/** An issue became another: bookmarks, the later shelf and what was read follow it. */
export async function moveMarks(transaction: Transaction<ReaderTables>, { from, to }: { from: number; to: number }): Promise<void> {
  for (const table of ["bookmark", "later"] as const) {
    const rows = await transaction.selectFrom(table).selectAll().where("issue_id", "=", from).execute();
    for (const row of rows) await transaction.insertInto(table).values({ ...row, issue_id: to } as never).onConflict((conflict) => conflict.doNothing()).execute();
  }
  for (const row of await transaction.selectFrom("activity").selectAll().where("issue_id", "=", from).execute()) {
    await transaction
      .insertInto("activity")
      .values({ ...row, issue_id: to })
      .onConflict((conflict) =>
        conflict.columns(["user_id", "quarter", "issue_id"]).doUpdateSet((set) => ({ pages: set("activity.pages", "+", row.pages), finished: set("activity.finished", "+", row.finished) })),
      )
      .execute();
  }
  for (const table of ["bookmark", "later", "activity"] as const) await transaction.deleteFrom(table).where("issue_id", "=", from).execute();
}

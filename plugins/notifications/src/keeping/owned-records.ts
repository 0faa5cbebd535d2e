import type { Kysely } from "kysely";
import type { NotificationTables } from "../tables.js";

const tables = ["notice", "address", "preference"] as const;

/** Deletes all rows of a user, including pending messages. */
export async function forgetUser(database: Kysely<NotificationTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Moves all rows of one user to another, who keeps existing preferences. */
export async function handOver(
  database: Kysely<NotificationTables>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of ["notice", "address"] as const)
      await transaction.updateTable(table).set({ user_id: to }).where("user_id", "=", from).execute();
    const own = await transaction
      .selectFrom("preference")
      .select("user_id")
      .where("user_id", "=", to)
      .executeTakeFirst();
    if (own) await transaction.deleteFrom("preference").where("user_id", "=", from).execute();
    else await transaction.updateTable("preference").set({ user_id: to }).where("user_id", "=", from).execute();
  });
}

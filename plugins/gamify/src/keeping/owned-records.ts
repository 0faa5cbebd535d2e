import type { GamifyDatabase } from "../tables.js";

const tables = ["choice", "goal", "zone", "quest", "freeze"] as const;

/** Deletes all rows of a user. */
export async function forgetUser(database: GamifyDatabase, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** The first account takes over what the local admin chose, unless it has chosen itself. */
export async function handOver(database: GamifyDatabase, { from, to }: { from: number; to: number }): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) {
      const own = await transaction.selectFrom(table).select("user_id").where("user_id", "=", to).executeTakeFirst();
      if (!own) await transaction.updateTable(table).set({ user_id: to }).where("user_id", "=", from).execute();
      await transaction.deleteFrom(table).where("user_id", "=", from).execute();
    }
  });
}

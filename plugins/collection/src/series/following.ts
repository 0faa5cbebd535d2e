import { inBatches, isAmong } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import type { CollectionDatabase } from "../tables.js";

/** Which series each user follows. */
export class Following {
  readonly #database: CollectionDatabase;
  readonly #changes: Changes;

  constructor(database: CollectionDatabase, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
  }

  /** Without `follow`, turns it round. @returns whether the user follows the series now */
  async set(userId: number, seriesId: number, follow: boolean | undefined): Promise<boolean> {
    const known = await this.#database
      .selectFrom("follow")
      .select("user_id")
      .where("user_id", "=", userId)
      .where("series_id", "=", seriesId)
      .executeTakeFirst();
    const next = follow ?? known === undefined;
    await this.setAll(userId, [seriesId], next);
    return next;
  }

  async setAll(userId: number, seriesIds: readonly number[], follow: boolean): Promise<void> {
    const followed_at = new Date().toISOString();
    await this.#database.transaction().execute(async (transaction) => {
      for (const ids of inBatches(seriesIds)) {
        if (follow) {
          const rows = ids.map((series_id) => ({ user_id: userId, series_id, followed_at }));
          await transaction
            .insertInto("follow")
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        } else
          await transaction.deleteFrom("follow").where("user_id", "=", userId).where("series_id", "in", ids).execute();
      }
    });
    this.#changes.announceSeries(seriesIds);
  }

  /** Who follows which of these series, by series. */
  async findFollowers(
    seriesIds: readonly number[],
  ): Promise<Array<{ readonly seriesId: number; readonly userId: number }>> {
    const rows = await this.#database
      .selectFrom("follow")
      .select(["series_id", "user_id"])
      .where(isAmong("series_id", seriesIds))
      .orderBy("series_id")
      .orderBy("user_id")
      .execute();
    return rows.map((row) => ({ seriesId: row.series_id, userId: row.user_id }));
  }

  async forget(userId: number): Promise<void> {
    const rows = await this.#database
      .deleteFrom("follow")
      .where("user_id", "=", userId)
      .returning("series_id")
      .execute();
    this.#changes.announceSeries(rows.map((row) => row.series_id));
  }

  async adopt(from: number, to: number): Promise<void> {
    const rows = await this.#database.selectFrom("follow").selectAll().where("user_id", "=", from).execute();
    if (rows.length === 0) return;
    await this.#database.transaction().execute(async (transaction) => {
      for (const some of inBatches(rows)) {
        await transaction
          .insertInto("follow")
          .values(some.map((row) => ({ ...row, user_id: to })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      await transaction.deleteFrom("follow").where("user_id", "=", from).execute();
    });
    this.#changes.announceSeries(rows.map((row) => row.series_id));
  }
}

import type { Kysely } from "kysely";
import { layoutSchema, type Layout } from "./layout.js";
import type { BookReaderTables } from "./tables.js";

/** How each user wants books to be shown, the same on all devices. */
export class Preferences {
  constructor(private readonly database: Kysely<BookReaderTables>) {}

  async find(userId: number): Promise<Layout> {
    const row = await this.database
      .selectFrom("preference")
      .select("layout")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return layoutSchema.parse(row === undefined ? {} : JSON.parse(row.layout));
  }

  /** Changes the given fields. */
  async change(userId: number, change: Partial<Layout>): Promise<Layout> {
    return this.database.transaction().execute(async (transaction) => {
      const layout = { ...(await new Preferences(transaction).find(userId)), ...change };
      const row = { user_id: userId, layout: JSON.stringify(layout) };
      await transaction
        .insertInto("preference")
        .values(row)
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ layout: row.layout }))
        .execute();
      return layout;
    });
  }

  async forget(userId: number): Promise<void> {
    await this.database.deleteFrom("preference").where("user_id", "=", userId).execute();
  }

  /** Gives the preferences of one user to another, who keeps any that already exist. */
  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const row = await transaction.selectFrom("preference").selectAll().where("user_id", "=", from).executeTakeFirst();
      if (row === undefined) return;
      await transaction
        .insertInto("preference")
        .values({ ...row, user_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction.deleteFrom("preference").where("user_id", "=", from).execute();
    });
  }
}

import { migration } from "@longbox/sdk";
import { titleOrder } from "../series/title-order.js";

const atOnce = 500;

/** Titles are sorted with their numbers by value. */
export const titleOrderMigration = migration("0004-title-order", async ({ schema, types, database }) => {
  await schema
    .alterTable("series")
    .addColumn("title_order", types.folded, (column) => column.notNull().defaultTo(""))
    .execute();
  for (let afterId = 0; ;) {
    const rows: ReadonlyArray<{ readonly id: number; readonly title_key: string }> = await database
      .selectFrom("series")
      .select(["id", "title_key"])
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(atOnce)
      .execute();
    for (const { id, title_key } of rows)
      await database
        .updateTable("series")
        .set({ title_order: titleOrder(title_key) })
        .where("id", "=", id)
        .execute();
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) break;
    afterId = last.id;
  }
  await schema.dropIndex("series_by_title").execute();
  await schema.createIndex("series_by_title").on("series").columns(["state", "title_order", "id"]).execute();
});

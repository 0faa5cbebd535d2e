import { sql } from "kysely";
import { migration } from "@longbox/sdk";

/** The order by what is missing counts the gaps of series without a volume too. */
export const lackingOrderMigration = migration("0011-lacking-order", async ({ schema }) => {
  await schema.dropIndex("series_by_missing").execute();
  await schema
    .createIndex("series_by_missing")
    .on("series")
    .column("state")
    .expression(sql`(missing + gaps) desc`)
    .columns(["title_key", "id"])
    .execute();
});

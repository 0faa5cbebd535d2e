import { migration } from "@longbox/sdk";

/** Perceptual hashes of covers, the library's and the provider's; empty where an image has none. */
export const coverHashesMigration = migration("0002-cover-hashes", async ({ schema, types }) => {
  await schema
    .createTable("cover_hash")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("hash", types.text, (column) => column.notNull())
    .addColumn("kept_at", types.instant, (column) => column.notNull())
    .execute();
});

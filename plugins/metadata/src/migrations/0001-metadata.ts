import { migration } from "@longbox/sdk";

/** Answers of the provider, and where it keeps the images that they name. */
export const metadataMigration = migration("0001-metadata", async ({ schema, types }) => {
  await schema
    .createTable("answer")
    .addColumn("key", types.text, (column) => column.primaryKey())
    .addColumn("body", types.json, (column) => column.notNull())
    .addColumn("fetched_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("answer_by_age").on("answer").column("fetched_at").execute();
  await schema
    .createTable("image")
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("provider_id", types.id, (column) => column.notNull())
    .addColumn("url", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("image_key", ["kind", "provider_id"])
    .execute();
  await schema
    .createTable("candidate")
    .addColumn("series_id", types.id, (column) => column.primaryKey())
    .addColumn("looked_at", types.instant, (column) => column.notNull())
    .addColumn("best", types.json, (column) => column.notNull())
    .execute();
});

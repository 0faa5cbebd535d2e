import { migration } from "@longbox/sdk";

/** Perceptual hashes of the first and last pages of files, and what was decided about pictures that repeat. */
export const repeatedPagesMigration = migration("0001-repeated-pages", async ({ schema, types }) => {
  await schema
    .createTable("hashed_file")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .addColumn("stamp", types.text, (column) => column.notNull())
    .addColumn("validator", types.text, (column) => column.notNull())
    .addColumn("pages", types.count, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull())
    .execute();
  await schema
    .createTable("page_hash")
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("page", types.count, (column) => column.notNull())
    .addColumn("size", types.count, (column) => column.notNull())
    .addColumn("hash", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("page_hash_key", ["path", "page"])
    .execute();
  await schema.createIndex("page_hash_by_hash").on("page_hash").columns(["hash", "path"]).execute();
  await schema
    .createTable("decided_picture")
    .addColumn("hash", types.text, (column) => column.primaryKey())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("decided_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("hidden_page")
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("page", types.count, (column) => column.notNull())
    .addColumn("size", types.count, (column) => column.notNull())
    .addColumn("pages", types.count, (column) => column.notNull())
    .addColumn("validator", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("hidden_page_key", ["path", "page"])
    .execute();
});

import { migration } from "@longbox/sdk";

/** Answers of Open Library, and how far the matching of each book is. */
export const openLibraryMigration = migration("0001-open-library", async ({ schema, types }) => {
  await schema
    .createTable("answer")
    .addColumn("key", types.text, (column) => column.primaryKey())
    .addColumn("body", types.json, (column) => column.notNull())
    .addColumn("fetched_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("answer_by_age").on("answer").column("fetched_at").execute();
  await schema
    .createTable("book")
    .addColumn("issue_id", types.id, (column) => column.primaryKey())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("work_id", types.text)
    .addColumn("cover_id", types.id)
    .addColumn("reasons", types.json, (column) => column.notNull())
    .addColumn("candidates", types.json, (column) => column.notNull())
    .addColumn("former", types.json)
    .addColumn("by_hand", types.flag, (column) => column.notNull())
    .addColumn("evidence", types.text, (column) => column.notNull())
    .addColumn("looked_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("work_cover")
    .addColumn("work", types.text, (column) => column.primaryKey())
    .addColumn("cover_id", types.id, (column) => column.notNull())
    .execute();
  await schema.createIndex("book_by_state").on("book").columns(["state", "issue_id"]).execute();
});

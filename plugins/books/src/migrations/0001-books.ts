import { migration } from "@longbox/sdk";

export const books = migration("0001-books", async ({ schema, types }) => {
  await schema
    .createTable("bookmark")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("locator", types.text, (column) => column.notNull())
    .addColumn("fraction", types.real, (column) => column.notNull())
    .addColumn("note", types.text)
    .addColumn("color", types.text)
    .addColumn("text", types.text)
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("bookmark_by_user").on("bookmark").columns(["user_id", "issue_id"]).execute();
  await schema.createIndex("bookmark_by_issue").on("bookmark").column("issue_id").execute();
  await schema
    .createTable("place")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("locator", types.text, (column) => column.notNull())
    .addColumn("chapter", types.text)
    .addColumn("page", types.count)
    .addColumn("pages", types.count)
    .addPrimaryKeyConstraint("place_key", ["user_id", "issue_id"])
    .execute();
  await schema
    .createTable("remote_book")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .addColumn("plugin", types.text, (column) => column.notNull())
    .addColumn("source", types.text, (column) => column.notNull())
    .addColumn("book_id", types.text, (column) => column.notNull())
    .addColumn("format", types.text, (column) => column.notNull())
    .addColumn("version", types.text, (column) => column.notNull())
    .addColumn("size", types.count, (column) => column.notNull())
    .execute();
  await schema.createIndex("remote_book_by_source").on("remote_book").columns(["plugin", "source"]).execute();
  await schema.createIndex("place_by_issue").on("place").column("issue_id").execute();
});

import { migration } from "@longbox/sdk";

export const bookmarks = migration("0001-bookmarks", async ({ schema, types }) => {
  await schema
    .createTable("bookmark")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("position", types.real, (column) => column.notNull())
    .addColumn("note", types.text, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("bookmark_by_user").on("bookmark").columns(["user_id", "issue_id", "position"]).execute();
  await schema.createIndex("bookmark_by_issue").on("bookmark").column("issue_id").execute();
});

import { migration } from "@longbox/sdk";

export const bookmarks = migration("0001-bookmarks", async ({ schema, types }) => {
  await schema
    .createTable("bookmark")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("page", types.count, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("bookmark_key", ["user_id", "issue_id", "page"])
    .execute();
  await schema.createIndex("bookmark_by_time").on("bookmark").columns(["user_id", "created_at"]).execute();
  await schema.createIndex("bookmark_by_issue").on("bookmark").column("issue_id").execute();
  await schema
    .createTable("preference")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("mode", types.text)
    .addColumn("direction", types.text)
    .addColumn("fit", types.text)
    .addPrimaryKeyConstraint("preference_key", ["user_id", "series_id"])
    .execute();
  await schema.createIndex("preference_by_issue").on("preference").column("issue_id").execute();
});

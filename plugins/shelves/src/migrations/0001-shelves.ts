import { migration } from "@longbox/sdk";

export const shelvesMigration = migration("0001-shelves", async ({ schema, types }) => {
  await schema
    .createTable("saved_shelf")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("selection", types.json, (column) => column.notNull())
    .addColumn("sort", types.text, (column) => column.notNull())
    .addColumn("shared", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("on_home", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .addColumn("changed_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("saved_shelf_by_user").on("saved_shelf").columns(["user_id", "id"]).execute();
  await schema
    .createTable("rating")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("stars", types.count, (column) => column.notNull())
    .addColumn("rated_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("rating_key", ["user_id", "issue_id"])
    .execute();
  await schema.createIndex("rating_by_issue").on("rating").column("issue_id").execute();
  await schema
    .createTable("unsaved_series")
    .addColumn("series_id", types.id, (column) => column.primaryKey())
    .execute();
});

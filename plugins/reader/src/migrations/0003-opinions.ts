import { migration } from "@longbox/sdk";

export const opinions = migration("0003-opinions", async ({ schema, types }) => {
  await schema
    .createTable("opinion")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("rating", types.count)
    .addColumn("note", types.text, (column) => column.notNull().defaultTo(""))
    .addColumn("changed_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("opinion_key", ["user_id", "issue_id"])
    .execute();
  await schema.createIndex("opinion_by_issue").on("opinion").column("issue_id").execute();
});

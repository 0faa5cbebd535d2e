import { migration } from "@longbox/sdk";

export const notes = migration("0002-notes", async ({ schema, types }) => {
  await schema
    .createTable("note")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("page", types.count, (column) => column.notNull())
    .addColumn("text", types.text, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("note_key", ["user_id", "issue_id", "page"])
    .execute();
  await schema.createIndex("note_by_issue").on("note").column("issue_id").execute();
});

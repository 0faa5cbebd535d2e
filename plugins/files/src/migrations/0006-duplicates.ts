import { migration } from "@longbox/sdk";

/** Issues with several files of which a person wants all; another file makes them a question again. */
export const duplicateTables = migration("0006-duplicates", async ({ schema, types }) => {
  await schema
    .createTable("kept_copies")
    .addColumn("issue_id", types.id, (column) => column.primaryKey())
    .addColumn("files", types.text, (column) => column.notNull())
    .execute();
  await schema.createIndex("scanned_file_by_issue").on("scanned_file").columns(["issue_id"]).execute();
});

import { migration } from "@longbox/sdk";

/** Uncertain readings, until a person has confirmed them, and ignored files. */
export const scanReview = migration("0005-scan-review", async ({ schema, types }) => {
  await schema.alterTable("scanned_file").addColumn("doubts", types.text).execute();
  await schema.alterTable("scanned_file").addColumn("doubts_settled", types.text).execute();
  await schema.createIndex("scanned_file_by_doubts").on("scanned_file").columns(["doubts", "path"]).execute();
  await schema
    .createTable("ignored_path")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .addColumn("library_id", types.id, (column) => column.notNull())
    .addColumn("reason", types.text, (column) => column.notNull())
    .execute();
});

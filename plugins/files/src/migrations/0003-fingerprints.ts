import { migration } from "@longbox/sdk";

/** Every version of a file that was seen, by what devices call it. */
export const fingerprints = migration("0003-fingerprints", async ({ schema, types }) => {
  await schema
    .createTable("file_fingerprint")
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("partial_md5", types.text, (column) => column.notNull())
    .addColumn("name_md5", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("is_current", types.flag, (column) => column.notNull())
    .addColumn("seen_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("file_fingerprint_key", ["path", "partial_md5", "name_md5"])
    .execute();
  for (const column of ["partial_md5", "name_md5", "issue_id"])
    await schema.createIndex(`file_fingerprint_by_${column}`).on("file_fingerprint").column(column).execute();
});

import { migration } from "@longbox/sdk";

/** Files that other plugins bring, and candidates that they hand over to a person. */
export const placements = migration("0004-placements", async ({ schema, types }) => {
  await schema
    .createTable("placement")
    .addColumn("key", types.text, (column) => column.primaryKey())
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("mode", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("staged", types.text)
    .addColumn("goal", types.text)
    .addColumn("library_id", types.id)
    .addColumn("batch_id", types.id)
    .addColumn("replaced", types.json, (column) => column.notNull())
    .addColumn("series_id", types.id)
    .addColumn("placed_issue_id", types.id)
    .addColumn("begun_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .alterTable("import_candidate")
    .addColumn("is_handed_over", types.flag, (column) => column.notNull().defaultTo(0))
    .execute();
});

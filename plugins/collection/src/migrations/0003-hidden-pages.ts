import { migration } from "@longbox/sdk";

/** How many pages of a file readers do not show. */
export const hiddenPagesMigration = migration("0003-hidden-pages", async ({ schema, types }) => {
  await schema
    .alterTable("file")
    .addColumn("hidden_pages", types.count, (column) => column.notNull().defaultTo(0))
    .execute();
});

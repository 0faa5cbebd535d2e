import { migration } from "@longbox/sdk";

/** What a person wrote about a series, which files and providers do not overwrite. */
export const editedSeriesMigration = migration("0009-edited-series", async ({ schema, types }) => {
  await schema
    .alterTable("series")
    .addColumn("locked", types.json, (column) => column.notNull().defaultTo("[]"))
    .execute();
  await schema.alterTable("series").addColumn("chosen_cover_id", types.id).execute();
});

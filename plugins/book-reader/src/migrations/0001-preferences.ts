import { migration } from "@longbox/sdk";

export const preferences = migration("0001-preferences", async ({ schema, types }) => {
  await schema
    .createTable("preference")
    .addColumn("user_id", types.id, (column) => column.notNull().primaryKey())
    .addColumn("layout", types.json, (column) => column.notNull())
    .execute();
});

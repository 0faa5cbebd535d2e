import { migration } from "@longbox/sdk";

/** Series that a person joined, with what undoing needs, and pairs that are two series. */
export const joinedSeriesMigration = migration("0006-joined-series", async ({ schema, types, database }) => {
  await schema
    .createTable("series_join")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("from_id", types.id, (column) => column.notNull())
    .addColumn("to_id", types.id, (column) => column.notNull())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("joined_at", types.text, (column) => column.notNull())
    .addColumn("before", types.json, (column) => column.notNull())
    .execute();
  await schema
    .createTable("series_apart")
    .addColumn("one_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addColumn("other_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("series_apart_key", ["one_id", "other_id"])
    .execute();
  await database.insertInto("identity").values({ name: "series_join", next: 1 }).execute();
});

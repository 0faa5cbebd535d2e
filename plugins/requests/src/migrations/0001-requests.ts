import { migration } from "@longbox/sdk";
import { sql } from "kysely";

export const requests = migration("0001-requests", async ({ schema, types }) => {
  await schema
    .createTable("request")
    .addColumn("id", types.id, types.numbered)
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("open", types.flag, (column) => column.notNull())
    .addColumn("external_id", types.text, (column) => column.notNull())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("year", types.count)
    .addColumn("publisher", types.text)
    .addColumn("authors", types.json, (column) => column.notNull())
    .addColumn("image", types.text)
    .addColumn("note", types.text, (column) => column.notNull())
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .addColumn("decided_by", types.id)
    .addColumn("decided_at", types.instant)
    .addColumn("reason", types.text)
    .addColumn("download", types.flag, (column) => column.notNull())
    .addColumn("series_id", types.id)
    .execute();
  await schema
    .createIndex("request_open")
    .unique()
    .on("request")
    .columns(["kind", "external_id"])
    .where(sql.ref("open"), "=", 1)
    .execute();
  await schema.createIndex("request_by_state").on("request").columns(["state", "id"]).execute();
  await schema.createIndex("request_by_user").on("request").columns(["user_id", "created_at"]).execute();
  await schema.createIndex("request_by_series").on("request").column("series_id").execute();
  await schema
    .createTable("vote")
    .addColumn("request_id", types.id, (column) => column.notNull().references("request.id").onDelete("cascade"))
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addPrimaryKeyConstraint("vote_key", ["request_id", "user_id"])
    .execute();
  await schema.createIndex("vote_by_user").on("vote").column("user_id").execute();
});

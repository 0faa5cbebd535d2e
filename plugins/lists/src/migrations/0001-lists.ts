import { migration, type MigrationStep } from "@longbox/sdk";
import { sql } from "kysely";

export const listsMigration = migration("0001-lists", async (step) => {
  await createLists(step);
  await createItems(step);
  await createUnmatched(step);
});

async function createLists({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("list")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("name_key", types.folded, (column) => column.notNull())
    .addColumn("public", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("arc_id", types.id)
    .addColumn("created_at", types.text, (column) => column.notNull())
    .execute();
  await schema.createIndex("list_by_user").on("list").columns(["user_id", "id"]).execute();
  await schema.createIndex("list_by_public").on("list").columns(["public", "id"]).execute();
}

async function createItems({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("item")
    .addColumn("id", types.id, types.numbered)
    .addColumn("list_id", types.id, (column) => column.notNull().references("list.id").onDelete("cascade"))
    .addColumn("position", types.count, (column) => column.notNull())
    .addColumn("cv_issue_id", types.id, (column) => column.notNull())
    .addColumn("volume_id", types.id)
    .addColumn("series", types.text)
    .addColumn("number", types.text)
    .addColumn("volume", types.text)
    .addColumn("year", types.text)
    .addColumn("title", types.text)
    .addColumn("cover_date", types.text)
    .addColumn("described", types.count, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex("item_by_position").on("item").columns(["list_id", "position"]).execute();
  await schema.createIndex("item_by_issue").on("item").column("cv_issue_id").execute();
  await schema
    .createIndex("item_undescribed")
    .on("item")
    .column("cv_issue_id")
    .where(sql.ref("described"), "=", 0)
    .execute();
}

async function createUnmatched({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("unmatched")
    .addColumn("id", types.id, types.numbered)
    .addColumn("list_id", types.id, (column) => column.notNull().references("list.id").onDelete("cascade"))
    .addColumn("position", types.count, (column) => column.notNull())
    .addColumn("series", types.text, (column) => column.notNull())
    .addColumn("series_key", types.folded, (column) => column.notNull())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("volume", types.text, (column) => column.notNull())
    .addColumn("year", types.text, (column) => column.notNull())
    .addColumn("reason", types.text, (column) => column.notNull())
    .addColumn("cv_issue_id", types.id)
    .addColumn("volume_id", types.id)
    .addColumn("waits_for", types.text)
    .execute();
  await schema.createIndex("unmatched_by_position").on("unmatched").columns(["list_id", "position"]).execute();
  await schema.createIndex("unmatched_by_series").on("unmatched").columns(["series_key", "id"]).execute();
}

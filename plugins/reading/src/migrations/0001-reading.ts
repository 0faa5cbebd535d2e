import { migration, type MigrationStep } from "@longbox/sdk";
import { sql } from "kysely";

export const reading = migration("0001-reading", async (step) => {
  await makeProgress(step);
  await indexProgress(step);
  await makeDevicePlaces(step);
  await makeHistory(step);
  await makeLater(step);
});

async function makeProgress({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("progress")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("work_type", types.text, (column) => column.notNull())
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("place", types.real, (column) => column.notNull())
    .addColumn("fraction", types.real, (column) => column.notNull())
    .addColumn("device", types.text, (column) => column.notNull())
    .addColumn("placed_at", types.instant, (column) => column.notNull())
    .addColumn("read_at", types.instant, (column) => column.notNull())
    .addColumn("completed", types.flag, (column) => column.notNull())
    .addColumn("finished_at", types.instant)
    .addColumn("times_finished", types.count, (column) => column.notNull())
    .addColumn("begun_at", types.instant, (column) => column.notNull())
    .addColumn("went_back_at", types.instant, (column) => column.notNull())
    .addColumn("went_back_from", types.real, (column) => column.notNull())
    .addColumn("counted_pages", types.count, (column) => column.notNull())
    .addColumn("counted_seconds", types.count, (column) => column.notNull())
    .addColumn("counted_at", types.instant, (column) => column.notNull())
    .addColumn("counted_finish_at", types.instant, (column) => column.notNull())
    .addColumn("pages", types.count)
    .addColumn("duration_seconds", types.real)
    .addColumn("locator", types.text)
    .addColumn("locator_fraction", types.real)
    .addPrimaryKeyConstraint("progress_key", ["user_id", "issue_id"])
    .execute();
}

async function indexProgress({ schema }: MigrationStep): Promise<void> {
  await schema
    .createIndex("progress_begun")
    .on("progress")
    .columns(["user_id", "read_at", "issue_id"])
    .where(sql.ref("completed"), "=", 0)
    .where(sql.ref("kind"), "<>", "none")
    .execute();
  await schema
    .createIndex("progress_finished")
    .on("progress")
    .columns(["user_id", "finished_at", "issue_id"])
    .where("finished_at", "is not", null)
    .execute();
  await schema
    .createIndex("progress_by_series")
    .on("progress")
    .columns(["user_id", "series_id", "finished_at", "issue_id"])
    .where(sql.ref("kind"), "<>", "none")
    .execute();
  await schema.createIndex("progress_by_issue").on("progress").column("issue_id").execute();
}

async function makeDevicePlaces({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("device_place")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("device", types.text, (column) => column.notNull())
    .addColumn("position", types.json, (column) => column.notNull())
    .addColumn("at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("device_place_key", ["user_id", "issue_id", "device"])
    .execute();
  await schema.createIndex("device_place_by_issue").on("device_place").column("issue_id").execute();
}

async function makeHistory({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("history")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("quarter_at", types.instant, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("device", types.text, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("work_type", types.text, (column) => column.notNull())
    .addColumn("first_at", types.instant, (column) => column.notNull())
    .addColumn("last_at", types.instant, (column) => column.notNull())
    .addColumn("pages", types.count, (column) => column.notNull())
    .addColumn("seconds", types.count, (column) => column.notNull())
    .addColumn("finished", types.count, (column) => column.notNull())
    .addPrimaryKeyConstraint("history_key", ["user_id", "quarter_at", "issue_id", "device"])
    .execute();
  await schema.createIndex("history_by_issue").on("history").column("issue_id").execute();
}

async function makeLater({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("later")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("added_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("later_key", ["user_id", "issue_id"])
    .execute();
  await schema.createIndex("later_by_time").on("later").columns(["user_id", "added_at", "issue_id"]).execute();
  await schema.createIndex("later_by_issue").on("later").column("issue_id").execute();
}

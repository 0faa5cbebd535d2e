import { migration, type MigrationStep } from "@longbox/sdk";
import { sql, type CreateTableBuilder } from "kysely";

type Table = CreateTableBuilder<string>;

export const downloads = migration("0001-downloads", async (step) => {
  await makeItems(step);
  await indexItems(step);
  await makeLeftovers(step);
  await makeHistory(step);
  await makeBlocked(step);
  await makeSearching(step);
});

async function makeItems({ schema, types }: MigrationStep): Promise<void> {
  const item = schema
    .createTable("item")
    .addColumn("id", types.id, types.numbered)
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("series_title", types.text, (column) => column.notNull())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("cv_issue_id", types.id)
    .addColumn("restricted", types.flag, (column) => column.notNull())
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("open", types.flag, (column) => column.notNull())
    .addColumn("replaces", types.flag, (column) => column.notNull())
    .addColumn("priority", types.count, (column) => column.notNull())
    .addColumn("position", types.count, (column) => column.notNull())
    .addColumn("held", types.flag, (column) => column.notNull())
    .addColumn("attempts", types.count, (column) => column.notNull())
    .addColumn("delays", types.count, (column) => column.notNull())
    .addColumn("next_at", types.instant, (column) => column.notNull());
  await addRelease(item as Table, types).execute();
}

/** What an item became: the release that was chosen, its download, and how it ended. */
function addRelease(item: Table, types: MigrationStep["types"]): Table {
  return item
    .addColumn("source_id", types.text)
    .addColumn("source_name", types.text)
    .addColumn("release_key", types.text)
    .addColumn("release_title", types.text)
    .addColumn("release", types.json)
    .addColumn("client_id", types.text)
    .addColumn("grab_key", types.text)
    .addColumn("client_download", types.text)
    .addColumn("missing_since", types.instant)
    .addColumn("moved_at", types.instant)
    .addColumn("path", types.text)
    .addColumn("total_bytes", types.count)
    .addColumn("validator", types.text)
    .addColumn("phase", types.text)
    .addColumn("error", types.text)
    .addColumn("queued_at", types.instant, (column) => column.notNull())
    .addColumn("changed_at", types.instant, (column) => column.notNull())
    .addColumn("ended_at", types.instant) as Table;
}

async function indexItems({ schema }: MigrationStep): Promise<void> {
  const open = sql.ref("open");
  await schema.createIndex("item_open_issue").unique().on("item").column("issue_id").where(open, "=", 1).execute();
  await schema.createIndex("item_open_release").unique().on("item").column("release_key").where(open, "=", 1).execute();
  await schema.createIndex("item_by_turn").on("item").columns(["state", "priority", "position", "id"]).execute();
  await schema.createIndex("item_shown").on("item").columns(["open", "ended_at"]).execute();
  await schema.createIndex("item_by_issue").on("item").columns(["issue_id", "id"]).execute();
  await schema.createIndex("item_by_series").on("item").column("series_id").execute();
}

async function makeLeftovers({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("leftover")
    .addColumn("id", types.id, types.numbered)
    .addColumn("client_id", types.text, (column) => column.notNull())
    .addColumn("grab_key", types.text, (column) => column.notNull())
    .addColumn("info_hash", types.text)
    .addColumn("client_download", types.text)
    .addColumn("delete_files", types.flag, (column) => column.notNull())
    .addColumn("tries", types.count, (column) => column.notNull())
    .addColumn("next_at", types.instant, (column) => column.notNull())
    .execute();
}

async function makeHistory({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("history")
    .addColumn("id", types.id, types.numbered)
    .addColumn("event_key", types.text, (column) => column.notNull().unique())
    .addColumn("outcome", types.text, (column) => column.notNull())
    .addColumn("at", types.instant, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("series_title", types.text, (column) => column.notNull())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("cv_issue_id", types.id)
    .addColumn("restricted", types.flag, (column) => column.notNull())
    .addColumn("release", types.text, (column) => column.notNull())
    .addColumn("source", types.text, (column) => column.notNull())
    .addColumn("path", types.text)
    .addColumn("error", types.text)
    .execute();
  await schema.createIndex("history_by_outcome").on("history").columns(["outcome", "id"]).execute();
  await schema.createIndex("history_shown").on("history").columns(["outcome", "restricted", "id"]).execute();
  await schema.createIndex("history_by_age").on("history").column("at").execute();
  await schema.createIndex("history_by_series").on("history").column("series_id").execute();
}

async function makeBlocked({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("blocked")
    .addColumn("id", types.id, types.numbered)
    .addColumn("release_key", types.text, (column) => column.notNull().unique())
    .addColumn("source", types.text, (column) => column.notNull())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("reason", types.text, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("series_title", types.text, (column) => column.notNull())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("cv_issue_id", types.id)
    .addColumn("restricted", types.flag, (column) => column.notNull())
    .execute();
  await schema.createIndex("blocked_by_series").on("blocked").column("series_id").execute();
}

async function makeSearching({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("result")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("source_id", types.text, (column) => column.notNull())
    .addColumn("source_name", types.text, (column) => column.notNull())
    .addColumn("release", types.json, (column) => column.notNull())
    .addColumn("is_pack", types.flag, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("result_by_age").on("result").column("created_at").execute();
  await schema
    .createTable("tried")
    .addColumn("issue_id", types.id, (column) => column.primaryKey())
    .addColumn("tries", types.count, (column) => column.notNull())
    .addColumn("last_at", types.instant, (column) => column.notNull())
    .addColumn("removed", types.flag, (column) => column.notNull())
    .execute();
  await schema
    .createTable("seen")
    .addColumn("source_id", types.text, (column) => column.notNull())
    .addColumn("guid", types.text, (column) => column.notNull())
    .addColumn("at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("seen_key", ["source_id", "guid"])
    .execute();
  await schema.createIndex("seen_by_age").on("seen").column("at").execute();
}

import type { MigrationStep } from "@longbox/sdk";
import { sql, type CreateTableBuilder } from "kysely";

type Types = MigrationStep["types"];
type Table = CreateTableBuilder<string>;

export async function makeIssues({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("issue")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .$call((table) => describedColumns(table as Table, types))
    .$call((table) => keptColumns(table, types))
    .execute();
  await makeIssueIndexes(schema);
  await schema
    .createTable("issue_merge")
    .addColumn("from_id", types.id, (column) => column.primaryKey())
    .addColumn("to_id", types.id, (column) => column.notNull())
    .execute();
  await schema.createIndex("issue_merge_by_target").on("issue_merge").column("to_id").execute();
}

function describedColumns(table: Table, types: Types): Table {
  return table
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addColumn("cv_issue_id", types.id, (column) => column.unique())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("sort_key", types.text, (column) => column.notNull())
    .addColumn("value", types.real)
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("title", types.text)
    .addColumn("title_words", types.folded)
    .addColumn("cover_date", types.text)
    .addColumn("store_date", types.text)
    .addColumn("language", types.text);
}

function keptColumns(table: Table, types: Types): Table {
  return table
    .addColumn("present", types.flag, (column) => column.notNull().defaultTo(1))
    .addColumn("listed", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("described", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("owned", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("corrupt", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("tagged", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("pages", types.count, (column) => column.notNull().defaultTo(0))
    .addColumn("seconds", types.real)
    .addColumn("pick", types.flag)
    .addColumn("pick_why", types.text)
    .addColumn("pick_reason", types.text)
    .addColumn("wanted", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("added_at", types.text, (column) => column.notNull())
    .addColumn("owned_at", types.text);
}

async function makeIssueIndexes(schema: MigrationStep["schema"]): Promise<void> {
  await schema.createIndex("issue_by_series").on("issue").columns(["series_id", "present", "sort_key"]).execute();
  await schema.createIndex("issue_by_number").on("issue").columns(["sort_key", "series_id"]).execute();
  await schema
    .createIndex("issue_missing_by_date")
    .on("issue")
    .expression(sql`(coalesce(store_date, cover_date))`)
    .where(sql.ref("owned"), "=", 0)
    .where(sql.ref("present"), "=", 1)
    .execute();
  await schema
    .createIndex("issue_by_owned")
    .on("issue")
    .columns(["owned_at", "id"])
    .where(sql.ref("owned"), "=", 1)
    .execute();
  const wanted = sql.ref("wanted");
  await schema.createIndex("issue_wanted").on("issue").column("id").where(wanted, "=", 1).execute();
  // Another condition than that of the index above, so that neither is taken for the order of the other.
  const released = sql`(coalesce(store_date, cover_date))`;
  await schema.createIndex("issue_wanted_by_date").on("issue").expression(released).where(wanted, ">", 0).execute();
}

export async function makeIssueDetails({ schema, types }: MigrationStep): Promise<void> {
  const lists = ["credits", "characters", "teams", "locations", "arcs", "subjects"];
  const detail = schema
    .createTable("issue_detail")
    .addColumn("issue_id", types.id, (column) => column.primaryKey().references("issue.id").onDelete("cascade"))
    .addColumn("description", types.text)
    .addColumn("url", types.text) as Table;
  await lists
    .reduce((table, name) => table.addColumn(name, types.json, (column) => column.notNull().defaultTo("[]")), detail)
    .execute();
}

import type { MigrationStep } from "@longbox/sdk";
import type { CreateTableBuilder } from "kysely";

type Types = MigrationStep["types"];
type Table = CreateTableBuilder<string>;

export async function makeSeries({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("series")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .$call((table) => describedColumns(table as Table, types))
    .$call((table) => keptColumns(table, types))
    .$call((table) => countedColumns(table, types))
    .execute();
  await makeSeriesIndexes(schema);
}

/** The metadata of a series from files and providers. */
function describedColumns(table: Table, types: Types): Table {
  return table
    .addColumn("cv_id", types.id, (column) => column.unique())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("title_key", types.folded, (column) => column.notNull())
    .addColumn("publisher", types.text)
    .addColumn("year", types.count)
    .addColumn("description", types.text)
    .addColumn("url", types.text)
    .addColumn("aliases", types.json, (column) => column.notNull().defaultTo("[]"))
    .addColumn("type", types.text, (column) => column.notNull());
}

/** The state of a series in the collection, and the decisions of users. */
function keptColumns(table: Table, types: Types): Table {
  return table
    .addColumn("library_id", types.id, (column) => column.references("library.id").onDelete("set null"))
    .addColumn("state", types.text, (column) => column.notNull().defaultTo("tracked"))
    .addColumn("origin", types.text, (column) => column.notNull())
    .addColumn("pointed_by_hand", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("restricted", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("hidden", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("monitor", types.text, (column) => column.notNull().defaultTo("none"))
    .addColumn("monitor_from", types.count)
    .addColumn("status", types.text, (column) => column.notNull().defaultTo("unknown"))
    .addColumn("path", types.text)
    .addColumn("pinned", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("added_at", types.text, (column) => column.notNull())
    .addColumn("refreshed_at", types.text)
    .addColumn("cover_issue_id", types.id)
    .addColumn("latest", types.text);
}

const counters = [
  "total",
  "owned",
  "missing",
  "wanted",
  "untagged",
  "corrupt",
  "unlinked",
  "collected",
  "files",
  "size",
  "class",
];

function countedColumns(table: Table, types: Types): Table {
  return counters.reduce(
    (columns, name) => columns.addColumn(name, types.count, (column) => column.notNull().defaultTo(0)),
    table,
  );
}

const indexes: Readonly<Record<string, readonly string[]>> = {
  series_by_title: ["state", "title_key", "id"],
  series_by_added: ["state", "added_at", "id"],
  series_by_missing: ["state", "missing desc", "title_key", "id"],
  series_by_year: ["state", "year", "title_key", "id"],
  series_by_year_down: ["state", "year desc", "title_key", "id"],
  series_by_latest: ["state", "latest desc", "title_key", "id"],
  series_by_library: ["library_id"],
  series_by_key: ["title_key"],
  series_for_counts: ["state", "type", "class", "hidden", "library_id", "owned", "wanted", "missing"],
};

async function makeSeriesIndexes(schema: MigrationStep["schema"]): Promise<void> {
  for (const [name, columns] of Object.entries(indexes))
    await schema
      .createIndex(name)
      .on("series")
      .columns([...columns])
      .execute();
}

/** The folders and names by which files find their series, the people who made it, and what it was merged from. */
export async function makeSeriesSources({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("series_source")
    .addColumn("folder", types.text, (column) => column.notNull())
    .addColumn("name_key", types.folded, (column) => column.notNull())
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("series_source_key", ["folder", "name_key"])
    .execute();
  await schema.createIndex("series_source_by_series").on("series_source").column("series_id").execute();
  await schema
    .createTable("series_creator")
    .addColumn("series_id", types.id, (column) => column.notNull().references("series.id").onDelete("cascade"))
    .addColumn("name", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("series_creator_key", ["series_id", "name"])
    .execute();
  await schema
    .createTable("series_merge")
    .addColumn("from_id", types.id, (column) => column.primaryKey())
    .addColumn("to_id", types.id, (column) => column.notNull())
    .execute();
}

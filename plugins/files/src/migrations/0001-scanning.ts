import { migration, type MigrationStep } from "@longbox/sdk";

export const scanning = migration("0001-scanning", makeScannedFiles);

/** What the last scan saw of each file. */
async function makeScannedFiles({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("scanned_file")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .addColumn("library_id", types.id, (column) => column.notNull())
    .addColumn("size_bytes", types.count, (column) => column.notNull())
    .addColumn("modified_ms", types.real, (column) => column.notNull())
    .addColumn("tags_ms", types.real, (column) => column.notNull())
    .addColumn("fingerprint", types.text, (column) => column.notNull())
    .addColumn("format", types.text, (column) => column.notNull())
    .addColumn("tagged", types.flag, (column) => column.notNull())
    .addColumn("error", types.text)
    .addColumn("details", types.json)
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .execute();
  const indexes = {
    library: ["library_id", "path"],
    fingerprint: ["fingerprint"],
    format: ["format", "path"],
    series: ["series_id"],
  };
  for (const [name, columns] of Object.entries(indexes))
    await schema.createIndex(`scanned_file_by_${name}`).on("scanned_file").columns(columns).execute();
}

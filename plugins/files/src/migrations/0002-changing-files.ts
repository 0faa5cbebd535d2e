import { migration, type MigrationStep } from "@longbox/sdk";

export const changingFiles = migration("0002-changing-files", async (step) => {
  await makeJournal(step);
  await makeCandidates(step);
});

/** Moves of files, and files that are being written beside others. */
async function makeJournal({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("move_batch")
    .addColumn("id", types.id, (column) => types.numbered(column))
    .addColumn("what", types.text, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("started_at", types.text, (column) => column.notNull())
    .execute();
  await schema
    .createTable("move")
    .addColumn("batch_id", types.id, (column) => column.notNull().references("move_batch.id").onDelete("cascade"))
    .addColumn("position", types.count, (column) => column.notNull())
    .addColumn("from_path", types.text, (column) => column.notNull())
    .addColumn("to_path", types.text, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("error", types.text)
    .addPrimaryKeyConstraint("move_key", ["batch_id", "position"])
    .execute();
  await schema
    .createTable("unfinished_file")
    .addColumn("path", types.text, (column) => column.primaryKey())
    .execute();
}

/** What waits in the import folder. */
async function makeCandidates({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("import_candidate")
    .addColumn("id", types.id, (column) => types.numbered(column))
    .addColumn("folder", types.text, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("year", types.count)
    .addColumn("publisher", types.text)
    .addColumn("files", types.json, (column) => column.notNull())
    .addColumn("confidence", types.text, (column) => column.notNull())
    .addColumn("status", types.text, (column) => column.notNull())
    .addColumn("chosen", types.flag, (column) => column.notNull())
    .addColumn("matched_to", types.json)
    .addColumn("reasons", types.json, (column) => column.notNull())
    .addColumn("found_at", types.text, (column) => column.notNull())
    .addUniqueConstraint("import_candidate_key", ["folder", "name"])
    .execute();
}

import { migration, type MigrationStep } from "@longbox/sdk";

/** Jobs and schedules. Times are ISO 8601 texts in UTC. */
export const operationsTables = migration("0001-operations", async (step) => {
  await createJobs(step);
  await createSchedules(step);
});

async function createJobs({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("job")
    .addColumn("id", types.id, types.numbered)
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("key", types.text)
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("done", types.count, (column) => column.notNull().defaultTo(0))
    .addColumn("total", types.count, (column) => column.notNull().defaultTo(0))
    .addColumn("message", types.text)
    .addColumn("error", types.text)
    .addColumn("input", types.json)
    .addColumn("checkpoint", types.json)
    .addColumn("kills", types.count, (column) => column.notNull().defaultTo(0))
    .addColumn("queued_at", types.text, (column) => column.notNull())
    .addColumn("started_at", types.text)
    .addColumn("ended_at", types.text)
    .execute();
  await schema.createIndex("job_state").on("job").columns(["state", "id"]).execute();
}

async function createSchedules({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("schedule")
    .addColumn("key", types.text, (column) => column.primaryKey())
    .addColumn("cron", types.text)
    .addColumn("enabled", types.flag)
    .addColumn("last_run_at", types.text)
    .addColumn("last_state", types.text)
    .addColumn("last_error", types.text)
    // When the schedule was first known: runs due since then that never happened count as missed.
    .addColumn("seen_at", types.text)
    .execute();
}

import { migration, type MigrationStep } from "@longbox/sdk";

export const gamifyMigration = migration("0001-gamify", async (step) => {
  await makeChoices(step);
  await makeQuests(step);
});

async function makeChoices({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("choice")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("opted_out", types.flag, (column) => column.notNull().defaultTo(0))
    .addColumn("on_home", types.flag, (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable("goal")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("year", types.count, (column) => column.notNull())
    .addColumn("target", types.count, (column) => column.notNull())
    .addPrimaryKeyConstraint("goal_key", ["user_id", "year"])
    .execute();
  await schema
    .createTable("zone")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("from_at", types.instant, (column) => column.notNull())
    .addColumn("time_zone", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("zone_key", ["user_id", "from_at"])
    .execute();
}

async function makeQuests({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("quest")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("monday", types.text, (column) => column.notNull())
    .addColumn("drawn_at", types.instant, (column) => column.notNull())
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("subject", types.json, (column) => column.notNull())
    .addColumn("target", types.count, (column) => column.notNull())
    .addColumn("reward", types.count, (column) => column.notNull())
    .addColumn("base", types.count, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .execute();
  await schema.createIndex("quest_by_week").on("quest").columns(["user_id", "monday", "id"]).execute();
  await schema
    .createTable("freeze")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("bought_at", types.instant, (column) => column.notNull())
    .addColumn("cost", types.count, (column) => column.notNull())
    .execute();
  await schema.createIndex("freeze_by_user").on("freeze").columns(["user_id", "id"]).execute();
}

import { migration, type MigrationStep } from "@longbox/sdk";

export const releasesMigration = migration("0001-releases", async (step) => {
  await makeReleases(step);
  await makeOwned(step);
});

async function makeReleases({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("release")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("volume_id", types.id, (column) => column.notNull())
    .addColumn("volume_name", types.text, (column) => column.notNull())
    .addColumn("number", types.text, (column) => column.notNull())
    .addColumn("title", types.text)
    .addColumn("store_date", types.text, (column) => column.notNull())
    .addColumn("has_image", types.flag, (column) => column.notNull())
    .addColumn("listed", types.flag, (column) => column.notNull())
    .addColumn("first_seen", types.instant, (column) => column.notNull())
    .addColumn("changed_at", types.instant, (column) => column.notNull())
    .addColumn("revision", types.count, (column) => column.notNull())
    .execute();
  await schema.createIndex("release_by_date").on("release").columns(["store_date", "id"]).execute();
  await schema
    .createTable("week")
    .addColumn("week", types.text, (column) => column.primaryKey())
    .addColumn("asked_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("volume")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("publisher", types.text)
    .addColumn("publisher_key", types.folded)
    .addColumn("asked_at", types.instant, (column) => column.notNull())
    .execute();
}

async function makeOwned({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("followed_publisher")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("publisher_key", types.folded, (column) => column.notNull())
    .addColumn("publisher", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("followed_publisher_key", ["user_id", "publisher_key"])
    .execute();
  await schema
    .createTable("told")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("release_id", types.id, (column) => column.notNull())
    .addPrimaryKeyConstraint("told_key", ["user_id", "release_id"])
    .execute();
  await schema
    .createTable("feed_key")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("hash", types.text, (column) => column.notNull().unique())
    .addColumn("made_at", types.instant, (column) => column.notNull())
    .execute();
}

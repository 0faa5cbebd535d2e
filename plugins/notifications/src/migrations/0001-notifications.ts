import { migration, type MigrationStep } from "@longbox/sdk";
import { sql } from "kysely";

export const notifications = migration("0001-notifications", async (step) => {
  await makeNotices(step);
  await makeAddresses(step);
  await makePeople(step);
});

async function makeNotices({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("notice")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("at", types.instant, (column) => column.notNull())
    .addColumn("category", types.text, (column) => column.notNull())
    .addColumn("level", types.text, (column) => column.notNull())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("body", types.text, (column) => column.notNull())
    .addColumn("url", types.text)
    .addColumn("join_key", types.text)
    .addColumn("restricted", types.flag, (column) => column.notNull())
    .addColumn("read", types.flag, (column) => column.notNull())
    .addColumn("shown", types.flag, (column) => column.notNull())
    .execute();
  await schema.createIndex("notice_by_user").on("notice").columns(["user_id", "at", "id"]).execute();
  await schema.createIndex("notice_by_time").on("notice").column("at").execute();
  await schema
    .createIndex("notice_unread")
    .on("notice")
    .columns(["user_id", "restricted", "join_key"])
    .where(sql.ref("read"), "=", 0)
    .execute();
  await schema
    .createTable("notice_series")
    .addColumn("notice_id", types.id, (column) => column.notNull().references("notice.id").onDelete("cascade"))
    .addColumn("series_id", types.id, (column) => column.notNull())
    .addPrimaryKeyConstraint("notice_series_key", ["notice_id", "series_id"])
    .execute();
  await schema.createIndex("notice_series_by_series").on("notice_series").column("series_id").execute();
}

async function makeAddresses({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("address")
    .addColumn("id", types.id, types.numbered)
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("channel", types.text, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("fields", types.json, (column) => column.notNull())
    .addColumn("enabled", types.flag, (column) => column.notNull())
    .addColumn("trouble", types.text)
    .addColumn("failures", types.count, (column) => column.notNull())
    .addColumn("answers", types.json, (column) => column.notNull())
    .addColumn("created_at", types.instant, (column) => column.notNull())
    .execute();
  await schema.createIndex("address_by_user").on("address").column("user_id").execute();
  await schema
    .createTable("delivery")
    .addColumn("id", types.id, types.numbered)
    .addColumn("notice_id", types.id, (column) => column.notNull().references("notice.id").onDelete("cascade"))
    .addColumn("address_id", types.id, (column) => column.notNull().references("address.id").onDelete("cascade"))
    .addColumn("due_at", types.instant, (column) => column.notNull())
    .addColumn("attempts", types.count, (column) => column.notNull())
    .execute();
  await schema.createIndex("delivery_by_time").on("delivery").columns(["due_at", "id"]).execute();
  await schema.createIndex("delivery_by_notice").on("delivery").column("notice_id").execute();
  await schema.createIndex("delivery_by_address").on("delivery").column("address_id").execute();
}

async function makePeople({ schema, types }: MigrationStep): Promise<void> {
  await schema
    .createTable("preference")
    .addColumn("user_id", types.id, (column) => column.primaryKey().notNull())
    .addColumn("preferences", types.json, (column) => column.notNull())
    .execute();
  await schema
    .createTable("arrival")
    .addColumn("issue_id", types.id, (column) => column.primaryKey().notNull())
    .addColumn("at", types.instant, (column) => column.notNull())
    .execute();
}

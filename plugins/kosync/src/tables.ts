import { migration } from "@longbox/sdk";

export interface SyncTables {
  /** The sync password of a user: a hash of what e-readers send. */
  sync_password: { user_id: number; key_hash: string; made_at: number };
  /** The last report of each e-reader about each document. `issue_id` is null while the library has no such file. */
  device_report: {
    user_id: number;
    document: string;
    /** The e-reader's name in the reading progress: its model and the beginning of its id. */
    name: string;
    device: string;
    device_id: string;
    issue_id: number | null;
    progress: string;
    percentage: number;
    /** When the e-reader came to this position, as far as is known. */
    reported_at: number;
  };
}

export const firstTables = migration("0001-sync", async ({ schema, types }) => {
  await schema
    .createTable("sync_password")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("key_hash", types.text, (column) => column.notNull().unique())
    .addColumn("made_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("device_report")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("document", types.text, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("device", types.text, (column) => column.notNull())
    .addColumn("device_id", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("progress", types.text, (column) => column.notNull())
    .addColumn("percentage", types.real, (column) => column.notNull())
    .addColumn("reported_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("device_report_key", ["user_id", "document", "name"])
    .execute();
  await schema.createIndex("device_report_by_time").on("device_report").columns(["user_id", "reported_at"]).execute();
});

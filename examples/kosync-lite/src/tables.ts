import { migration } from "@longbox/sdk";

export interface SyncTables {
  /** The password that a user's e-readers sign in with: a hash of what they send. */
  password: { user_id: number; key_hash: string; made_at: number };
  /** What an e-reader told last of each document. `issue_id` is null while the library has no such file. */
  report: {
    user_id: number;
    document: string;
    issue_id: number | null;
    progress: string;
    percentage: number;
    device: string;
    device_id: string;
    reported_at: number;
  };
}

export const firstTables = migration("0001-sync", async ({ schema, types }) => {
  await schema
    .createTable("password")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("key_hash", types.text, (column) => column.notNull().unique())
    .addColumn("made_at", types.instant, (column) => column.notNull())
    .execute();
  await schema
    .createTable("report")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("document", types.text, (column) => column.notNull())
    .addColumn("issue_id", types.id)
    .addColumn("progress", types.text, (column) => column.notNull())
    .addColumn("percentage", types.real, (column) => column.notNull())
    .addColumn("device", types.text, (column) => column.notNull())
    .addColumn("device_id", types.text, (column) => column.notNull())
    .addColumn("reported_at", types.instant, (column) => column.notNull())
    .addPrimaryKeyConstraint("report_key", ["user_id", "document"])
    .execute();
});

import { migration } from "@longbox/sdk";
import type { Generated } from "kysely";

/** Where a book stands on a device: it was sent, its removal was sent, or the user removed it on the device. */
export type BookStanding = "sent" | "removed" | "declined";

export interface KoboTables {
  /** One row: the beginning of the ids that this server gives to its books. */
  identity: { id: number; prefix: string };
  /** An e-reader of a user. `token_hash` is that of the secret in its address. */
  device: {
    id: Generated<number>;
    user_id: number;
    name: string;
    token_hash: string;
    made_at: number;
    /** When it last synchronised; null before the first time. */
    last_at: number | null;
    /** Counts the answers with changes that were sent to it. */
    sequence: number;
  };
  /** The shelves that a user has chosen. */
  choice: { user_id: number; shelf: string };
  /** What a device was sent about each book. */
  sent_book: {
    device_id: number;
    issue_id: number;
    standing: BookStanding;
    /** What the description and the file were when they were sent. */
    revision: string;
    /** The reading state that was sent. */
    state: string;
    /** The answer that brought the book, and the one that last told of it, by `sequence`. */
    first_sequence: number;
    last_sequence: number;
  };
}

export const firstTables = migration("0001-kobo", async ({ schema, types }) => {
  await schema
    .createTable("identity")
    .addColumn("id", types.id, (column) => column.primaryKey())
    .addColumn("prefix", types.text, (column) => column.notNull())
    .execute();
  await schema
    .createTable("device")
    .addColumn("id", types.id, (column) => types.numbered(column))
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("token_hash", types.text, (column) => column.notNull().unique())
    .addColumn("made_at", types.instant, (column) => column.notNull())
    .addColumn("last_at", types.instant)
    .addColumn("sequence", types.count, (column) => column.notNull())
    .execute();
  await schema.createIndex("device_by_user").on("device").column("user_id").execute();
  await schema
    .createTable("choice")
    .addColumn("user_id", types.id, (column) => column.notNull())
    .addColumn("shelf", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("choice_key", ["user_id", "shelf"])
    .execute();
  await schema
    .createTable("sent_book")
    .addColumn("device_id", types.id, (column) => column.notNull())
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("standing", types.text, (column) => column.notNull())
    .addColumn("revision", types.text, (column) => column.notNull())
    .addColumn("state", types.text, (column) => column.notNull())
    .addColumn("first_sequence", types.count, (column) => column.notNull())
    .addColumn("last_sequence", types.count, (column) => column.notNull())
    .addPrimaryKeyConstraint("sent_book_key", ["device_id", "issue_id"])
    .execute();
});

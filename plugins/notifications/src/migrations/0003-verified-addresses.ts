import { migration } from "@longbox/sdk";

/** E-mail addresses have to be verified by their owners, also those that were entered before that was so. */
export const verifiedAddresses = migration("0003-verified-addresses", async ({ schema, types, database }) => {
  await schema
    .alterTable("address")
    .addColumn("verified", types.flag, (column) => column.notNull().defaultTo(1))
    .execute();
  await database.updateTable("address").set({ verified: 0 }).where("channel", "=", "email").execute();
  await schema
    .createTable("code")
    .addColumn("address_id", types.id, (column) => column.primaryKey().references("address.id").onDelete("cascade"))
    .addColumn("hash", types.text, (column) => column.notNull())
    .addColumn("made_at", types.instant, (column) => column.notNull())
    .addColumn("tries", types.count, (column) => column.notNull())
    .execute();
});

import { migration } from "@longbox/sdk";
import type { Generated } from "kysely";

export interface MailTables {
  arrival: { id: Generated<number>; issue_id: number; box: string; file_name: string; arrived_at: number };
}

export const firstTables = migration("0001-arrivals", async ({ schema, types }) => {
  await schema
    .createTable("arrival")
    .addColumn("id", types.id, types.numbered)
    .addColumn("issue_id", types.id, (column) => column.notNull())
    .addColumn("box", types.text, (column) => column.notNull())
    .addColumn("file_name", types.text, (column) => column.notNull())
    .addColumn("arrived_at", types.instant, (column) => column.notNull())
    .execute();
});

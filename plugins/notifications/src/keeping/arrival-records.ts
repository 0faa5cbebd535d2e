import { inBatches, isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { NotificationTables } from "../tables.js";

/** Issues that were added to the library and not announced yet. They survive a restart. */
export class ArrivalRecords {
  constructor(private readonly database: Kysely<NotificationTables>) {}

  async add(issueIds: readonly number[], at: number): Promise<void> {
    for (const some of inBatches(issueIds))
      await this.database
        .insertInto("arrival")
        .values(some.map((issue_id) => ({ issue_id, at })))
        .onConflict((conflict) => conflict.column("issue_id").doNothing())
        .execute();
  }

  async list(limit: number): Promise<number[]> {
    const rows = await this.database
      .selectFrom("arrival")
      .select("issue_id")
      .orderBy("issue_id")
      .limit(limit)
      .execute();
    return rows.map((row) => row.issue_id);
  }

  async remove(issueIds: readonly number[]): Promise<void> {
    await this.database.deleteFrom("arrival").where(isAmong("issue_id", issueIds)).execute();
  }

  async any(): Promise<boolean> {
    return (await this.list(1)).length > 0;
  }
}

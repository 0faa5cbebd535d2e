import { isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { DownloadTables } from "../tables.js";

export interface Tried {
  readonly tries: number;
  readonly lastAt: number;
  readonly removed: boolean;
}

/** What the schedule has searched for, and what persons took out of the queue. */
export class TriedRecords {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  async among(issueIds: readonly number[]): Promise<ReadonlyMap<number, Tried>> {
    const rows = await this.database.selectFrom("tried").selectAll().where(isAmong("issue_id", issueIds)).execute();
    return new Map(
      rows.map(({ issue_id, tries, last_at, removed }) => [
        issue_id,
        { tries, lastAt: last_at, removed: removed === 1 },
      ]),
    );
  }

  async countSince(at: number): Promise<number> {
    const { total } = await this.database
      .selectFrom("tried")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("last_at", ">=", at)
      .where("removed", "=", 0)
      .executeTakeFirstOrThrow();
    return total;
  }

  async tried(issueIds: readonly number[]): Promise<void> {
    for (const id of issueIds)
      await this.database
        .insertInto("tried")
        .values({ issue_id: id, tries: 1, last_at: Date.now(), removed: 0 })
        .onConflict((conflict) =>
          conflict.column("issue_id").doUpdateSet((eb) => ({ tries: eb("tried.tries", "+", 1), last_at: Date.now() })),
        )
        .execute();
  }

  /** A person took it out of the queue. */
  async remove(issueId: number): Promise<void> {
    await this.database
      .insertInto("tried")
      .values({ issue_id: issueId, tries: 0, last_at: 0, removed: 1 })
      .onConflict((conflict) => conflict.column("issue_id").doUpdateSet({ removed: 1 }))
      .execute();
  }

  /** A person asked for them again. */
  async allowAgain(issueIds: readonly number[]): Promise<void> {
    await this.database.updateTable("tried").set({ removed: 0 }).where(isAmong("issue_id", issueIds)).execute();
  }
}

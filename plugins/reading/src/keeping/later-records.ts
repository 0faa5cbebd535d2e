import { isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { ReadingTables } from "../tables.js";
import type { ListPart } from "./progress-records.js";
import type { WorkKey } from "./progress-rows.js";

/** The read-later shelves of users. */
export class LaterRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  /** Last added first. */
  async list(userId: number, { after, limit }: ListPart): Promise<Array<{ issueId: number; at: number }>> {
    const rows = await this.#database
      .selectFrom("later")
      .select(["issue_id", "added_at"])
      .where("user_id", "=", userId)
      .$if(after !== undefined, (query) =>
        query.where(({ eb, and, or }) =>
          and([
            eb("added_at", "<=", after!.at),
            or([eb("added_at", "<", after!.at), eb("issue_id", "<", after!.issueId)]),
          ]),
        ),
      )
      .orderBy("added_at", "desc")
      .orderBy("issue_id", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => ({ issueId: row.issue_id, at: row.added_at }));
  }

  async find(userId: number, issueIds: readonly number[]): Promise<number[]> {
    const rows = await this.#database
      .selectFrom("later")
      .select("issue_id")
      .where("user_id", "=", userId)
      .where(isAmong("issue_id", issueIds))
      .execute();
    return rows.map((row) => row.issue_id);
  }

  async add({ userId, issueId }: WorkKey, at: number): Promise<void> {
    await this.#database
      .insertInto("later")
      .values({ user_id: userId, issue_id: issueId, added_at: at })
      .onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doNothing())
      .execute();
  }

  async remove(userId: number, issueIds: readonly number[]): Promise<void> {
    await this.#database
      .deleteFrom("later")
      .where("user_id", "=", userId)
      .where(isAmong("issue_id", issueIds))
      .execute();
  }
}

import type { Kysely } from "kysely";
import type { IssueKey } from "./progress-records.js";
import type { ReaderTables } from "./tables.js";

/** Issues that users put aside to read later. */
export class LaterRecords {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  /** Last added first. */
  async list(userId: number): Promise<Array<{ issueId: number; addedAt: number }>> {
    const rows = await this.#database.selectFrom("later").selectAll().where("user_id", "=", userId).orderBy("added_at", "desc").orderBy("issue_id").execute();
    return rows.map((row) => ({ issueId: row.issue_id, addedAt: row.added_at }));
  }

  async has({ userId, issueId }: IssueKey): Promise<boolean> {
    const row = await this.#database.selectFrom("later").select("added_at").where("user_id", "=", userId).where("issue_id", "=", issueId).executeTakeFirst();
    return row !== undefined;
  }

  async add({ userId, issueId }: IssueKey, at: number): Promise<void> {
    await this.#database.insertInto("later").values({ user_id: userId, issue_id: issueId, added_at: at }).onConflict((conflict) => conflict.doNothing()).execute();
  }

  async remove({ userId, issueId }: IssueKey): Promise<void> {
    await this.#database.deleteFrom("later").where("user_id", "=", userId).where("issue_id", "=", issueId).execute();
  }
}

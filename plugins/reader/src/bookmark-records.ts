import type { Kysely } from "kysely";
import type { ReaderTables } from "./tables.js";

export interface IssueKey {
  readonly userId: number;
  readonly issueId: number;
}

export interface BookmarkRecord {
  readonly issueId: number;
  /** Counted from 0. */
  readonly page: number;
  readonly createdAt: number;
}

/** Pages that users marked. */
export class BookmarkRecords {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  /** The marked pages of one issue, in order. */
  async list({ userId, issueId }: IssueKey): Promise<number[]> {
    const rows = await this.#database
      .selectFrom("bookmark")
      .select("page")
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .orderBy("page")
      .execute();
    return rows.map((row) => row.page);
  }

  /** Every bookmark of a user, newest first. */
  async listAll(userId: number): Promise<BookmarkRecord[]> {
    const rows = await this.#database
      .selectFrom("bookmark")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .orderBy("issue_id")
      .orderBy("page")
      .execute();
    return rows.map((row) => ({ issueId: row.issue_id, page: row.page, createdAt: row.created_at }));
  }

  async set({ userId, issueId }: IssueKey, page: number, at: number): Promise<void> {
    await this.#database
      .insertInto("bookmark")
      .values({ user_id: userId, issue_id: issueId, page, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async clear({ userId, issueId }: IssueKey, page: number): Promise<void> {
    await this.#database
      .deleteFrom("bookmark")
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .where("page", "=", page)
      .execute();
  }
}

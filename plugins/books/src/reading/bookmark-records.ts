import type { Kysely } from "kysely";
import { TooManyBookmarks } from "../books-errors.js";
import type { BookTables } from "../tables.js";

/** Of one user in one book. */
export const mostBookmarks = 5000;

export interface BookKey {
  readonly userId: number;
  readonly issueId: number;
}

/** A place in a book: alone a bookmark, with a text a highlight, with a note a note. */
export interface Bookmark {
  readonly id: number;
  readonly locator: string;
  readonly fraction: number;
  readonly note: string | null;
  readonly color: string | null;
  readonly text: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export type BookmarkValues = Omit<Bookmark, "id" | "createdAt">;

/** The bookmarks, highlights and notes of users. */
export class BookmarkRecords {
  readonly #database: Kysely<BookTables>;

  constructor(database: Kysely<BookTables>) {
    this.#database = database;
  }

  /** Those of one user in one book, by their place. */
  async list({ userId, issueId }: BookKey): Promise<Bookmark[]> {
    const rows = await this.#database
      .selectFrom("bookmark")
      .selectAll()
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .orderBy("fraction")
      .orderBy("id")
      .execute();
    return rows.map(({ id, locator, fraction, note, color, text, created_at }) => {
      return { id, locator, fraction, note, color, text, createdAt: new Date(created_at).toISOString() };
    });
  }

  /** @returns its id, once it is durable @throws {TooManyBookmarks} */
  async add({ userId, issueId }: BookKey, values: BookmarkValues): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom("bookmark")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .where("issue_id", "=", issueId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= mostBookmarks) throw new TooManyBookmarks(mostBookmarks);
      const { id } = await transaction
        .insertInto("bookmark")
        .values({ ...values, user_id: userId, issue_id: issueId, created_at: Date.now() })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    });
  }

  /** @returns whether the user has this bookmark in this book */
  async change({ userId, issueId }: BookKey, id: number, values: BookmarkValues): Promise<boolean> {
    const changed = await this.#database
      .updateTable("bookmark")
      .set(values)
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .returning("id")
      .execute();
    return changed.length > 0;
  }

  /** The book that a bookmark of this user is in. */
  async findIssue(userId: number, id: number): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom("bookmark")
      .select("issue_id")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.issue_id;
  }

  async remove(userId: number, id: number): Promise<void> {
    await this.#database.deleteFrom("bookmark").where("id", "=", id).where("user_id", "=", userId).execute();
  }
}

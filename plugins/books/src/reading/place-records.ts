import { excluded } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { BookTables } from "../tables.js";
import type { BookKey } from "./bookmark-records.js";

/** What a reading program says of a position for people to read. */
export interface PlaceWords {
  readonly chapter?: string | undefined;
  readonly page?: number | undefined;
  readonly pages?: number | undefined;
}

/** The chapters and pages of last positions, which `reading` does not keep. */
export class PlaceRecords {
  readonly #database: Kysely<BookTables>;

  constructor(database: Kysely<BookTables>) {
    this.#database = database;
  }

  async keep({ userId, issueId }: BookKey, locator: string, words: PlaceWords): Promise<void> {
    const { chapter = null, page = null, pages = null } = words;
    await this.#database
      .insertInto("place")
      .values({ user_id: userId, issue_id: issueId, locator, chapter, page, pages })
      .onConflict((conflict) =>
        conflict.columns(["user_id", "issue_id"]).doUpdateSet(excluded(["locator", "chapter", "page", "pages"])),
      )
      .execute();
  }

  /** Nothing when they are about another position than this one. */
  async find({ userId, issueId }: BookKey, locator: string): Promise<PlaceWords> {
    const row = await this.#database
      .selectFrom("place")
      .selectAll()
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .executeTakeFirst();
    if (row?.locator !== locator) return {};
    return { chapter: row.chapter ?? undefined, page: row.page ?? undefined, pages: row.pages ?? undefined };
  }
}

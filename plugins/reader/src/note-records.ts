import type { Kysely } from "kysely";
import { z } from "zod";
import type { IssueKey } from "./bookmark-records.js";
import type { ReaderTables } from "./tables.js";

export const noteSchema = z.object({
  page: z.number().int().meta({ description: "Counted from 0" }),
  text: z.string(),
});
export type PageNote = z.output<typeof noteSchema>;

/** What users wrote about pages; only they see it. */
export class NoteRecords {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  /** The notes on one issue, by page. */
  async list({ userId, issueId }: IssueKey): Promise<PageNote[]> {
    return this.#database
      .selectFrom("note")
      .select(["page", "text"])
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .orderBy("page")
      .execute();
  }

  /** Replaces the note of a page; an empty one is removed. */
  async write({ userId, issueId }: IssueKey, { page, text }: PageNote): Promise<void> {
    if (text === "") {
      await this.#database
        .deleteFrom("note")
        .where("user_id", "=", userId)
        .where("issue_id", "=", issueId)
        .where("page", "=", page)
        .execute();
      return;
    }
    await this.#database
      .insertInto("note")
      .values({ user_id: userId, issue_id: issueId, page, text, created_at: Date.now() })
      .onConflict((conflict) => conflict.columns(["user_id", "issue_id", "page"]).doUpdateSet({ text }))
      .execute();
  }
}

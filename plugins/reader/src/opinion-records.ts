import type { Kysely } from "kysely";
import { z } from "zod";
import type { IssueKey } from "./bookmark-records.js";
import type { ReaderTables } from "./tables.js";

export const opinionSchema = z.object({
  rating: z.number().int().min(1).max(5).nullable().meta({ description: "Stars; null: not rated" }),
  note: z.string().max(10_000).meta({ description: "Plain text; empty: no note" }),
});
export type Opinion = z.output<typeof opinionSchema>;

/** What is undefined stays. */
export interface OpinionChange {
  readonly rating?: Opinion["rating"] | undefined;
  readonly note?: string | undefined;
}

const none: Opinion = { rating: null, note: "" };

/** Ratings and notes on whole issues. Only the user who wrote them sees them. */
export class OpinionRecords {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  async read({ userId, issueId }: IssueKey): Promise<Opinion> {
    const row = await this.#database
      .selectFrom("opinion")
      .select(["rating", "note"])
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .executeTakeFirst();
    return row ?? none;
  }

  /** Changes what is given, and keeps the rest. A row without a rating and a note is deleted. */
  async write({ userId, issueId }: IssueKey, change: OpinionChange): Promise<Opinion> {
    return this.#database.transaction().execute(async (transaction) => {
      const records = new OpinionRecords(transaction);
      const before = await records.read({ userId, issueId });
      const { rating = before.rating, note = before.note } = change;
      const opinion = { rating, note };
      await transaction.deleteFrom("opinion").where("user_id", "=", userId).where("issue_id", "=", issueId).execute();
      if (opinion.rating !== null || opinion.note !== "")
        await transaction
          .insertInto("opinion")
          .values({ user_id: userId, issue_id: issueId, ...opinion, changed_at: Date.now() })
          .execute();
      return opinion;
    });
  }
}

import type { Kysely } from "kysely";
import type { Merged, Report } from "../progress/merging.js";
import type { HistoryTable, ReadingTables } from "../tables.js";
import type { WorkHints, WorkKey } from "./progress-rows.js";

export const quarterMs = 15 * 60 * 1000;

export interface HistoryPlace {
  readonly quarterAt: number;
  readonly issueId: number;
  readonly device: string;
}

/** What a report added. */
export interface Gain {
  readonly report: Report;
  readonly gained: Merged;
}

/** What was read when, on which device. */
export class HistoryRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  async add({ userId, issueId }: WorkKey, work: WorkHints, { report, gained }: Gain): Promise<void> {
    const { at, device } = report;
    const finished = Number(gained.finished);
    await this.#database
      .insertInto("history")
      .values({
        user_id: userId,
        quarter_at: Math.floor(at / quarterMs) * quarterMs,
        issue_id: issueId,
        device,
        series_id: work.seriesId,
        work_type: work.type,
        first_at: at,
        last_at: at,
        pages: gained.gainedPages,
        seconds: gained.gainedSeconds,
        finished,
      })
      .onConflict((conflict) =>
        conflict.columns(["user_id", "quarter_at", "issue_id", "device"]).doUpdateSet(({ eb }) => ({
          first_at: eb.case().when("history.first_at", ">", at).then(at).else(eb.ref("history.first_at")).end(),
          last_at: eb.case().when("history.last_at", "<", at).then(at).else(eb.ref("history.last_at")).end(),
          pages: eb("history.pages", "+", gained.gainedPages),
          seconds: eb("history.seconds", "+", gained.gainedSeconds),
          finished: eb("history.finished", "+", finished),
        })),
      )
      .execute();
  }

  /** Oldest first. */
  async list(
    userId: number,
    range: {
      readonly limit: number;
      readonly after: HistoryPlace | undefined;
      readonly since: number | undefined;
      readonly types: readonly string[] | undefined;
    },
  ): Promise<HistoryTable[]> {
    const { limit, after, since, types } = range;
    return this.#database
      .selectFrom("history")
      .selectAll()
      .where("user_id", "=", userId)
      .$if(since !== undefined, (query) => query.where("quarter_at", ">=", since! - quarterMs + 1))
      .$if(types !== undefined, (query) => query.where("work_type", "in", types ?? []))
      .$if(after !== undefined, (query) =>
        query.where(({ eb, and, or }) =>
          and([
            eb("quarter_at", ">=", after!.quarterAt),
            or([
              eb("quarter_at", ">", after!.quarterAt),
              eb("issue_id", ">", after!.issueId),
              and([eb("issue_id", "=", after!.issueId), eb("device", ">", after!.device)]),
            ]),
          ]),
        ),
      )
      .orderBy("quarter_at")
      .orderBy("issue_id")
      .orderBy("device")
      .limit(limit)
      .execute();
  }
}

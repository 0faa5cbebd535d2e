import { givenRows } from "@longbox/sdk";
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
export interface HistoryGain {
  readonly key: WorkKey;
  readonly work: WorkHints;
  readonly report: Report;
  readonly gained: Merged;
}

const historyColumns = {
  user_id: "id",
  quarter_at: "instant",
  issue_id: "id",
  device: "text",
  series_id: "id",
  work_type: "text",
  first_at: "instant",
  last_at: "instant",
  pages: "count",
  seconds: "count",
  finished: "count",
} as const satisfies Readonly<Record<keyof HistoryTable, string>>;
const columns = Object.keys(historyColumns) as Array<keyof HistoryTable>;

/** What was read when, on which device. */
export class HistoryRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  async add(gains: readonly HistoryGain[]): Promise<void> {
    await this.#database
      .insertInto("history")
      .columns(columns)
      .expression((from) =>
        from
          .selectFrom(givenRows(historyColumns, joined(gains)).as("given"))
          .select(columns)
          .where(from.lit(true)),
      )
      .onConflict((conflict) =>
        conflict.columns(["user_id", "quarter_at", "issue_id", "device"]).doUpdateSet(({ eb, ref }) => ({
          first_at: eb
            .case()
            .when("history.first_at", ">", ref("excluded.first_at"))
            .then(ref("excluded.first_at"))
            .else(ref("history.first_at"))
            .end(),
          last_at: eb
            .case()
            .when("history.last_at", "<", ref("excluded.last_at"))
            .then(ref("excluded.last_at"))
            .else(ref("history.last_at"))
            .end(),
          pages: eb("history.pages", "+", ref("excluded.pages")),
          seconds: eb("history.seconds", "+", ref("excluded.seconds")),
          finished: eb("history.finished", "+", ref("excluded.finished")),
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

/** Rows with different keys, since a statement changes no row twice. */
function joined(gains: readonly HistoryGain[]): HistoryTable[] {
  const rows = new Map<string, HistoryTable>();
  for (const gain of gains) {
    const row = toRow(gain);
    const name = JSON.stringify([row.user_id, row.quarter_at, row.issue_id, row.device]);
    const before = rows.get(name);
    rows.set(name, before ? sum(before, row) : row);
  }
  return [...rows.values()];
}

function toRow({ key, work, report: { at, device }, gained }: HistoryGain): HistoryTable {
  return {
    user_id: key.userId,
    quarter_at: Math.floor(at / quarterMs) * quarterMs,
    issue_id: key.issueId,
    device,
    series_id: work.seriesId,
    work_type: work.type,
    first_at: at,
    last_at: at,
    pages: gained.gainedPages,
    seconds: gained.gainedSeconds,
    finished: Number(gained.finished),
  };
}

function sum(one: HistoryTable, other: HistoryTable): HistoryTable {
  return {
    ...one,
    first_at: Math.min(one.first_at, other.first_at),
    last_at: Math.max(one.last_at, other.last_at),
    pages: one.pages + other.pages,
    seconds: one.seconds + other.seconds,
    finished: one.finished + other.finished,
  };
}

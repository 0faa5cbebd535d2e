import type { Kysely } from "kysely";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { ReaderTables } from "./tables.js";
import { visibleIssues } from "./visible-issues.js";

const quarterMs = 15 * 60 * 1000;
const dayMs = 86_400_000;
const topSeries = 10;

export const statisticsSchema = z.object({
  timeZone: z.string(),
  issuesFinished: z.number().int().meta({ description: "Every finish counts, also a second one of the same issue" }),
  issuesBegun: z.number().int(),
  pagesRead: z.number().int(),
  streak: z.object({ current: z.number().int(), longest: z.number().int() }).meta({ description: "Days in a row on which something was read" }),
  days: z.array(z.object({ day: z.string(), pages: z.number().int(), finished: z.number().int() })),
  series: z.array(z.object({ seriesId: z.number().int(), series: z.string(), pages: z.number().int(), finished: z.number().int() })),
});
export type Statistics = z.output<typeof statisticsSchema>;

interface Amount {
  readonly pages: number;
  readonly finished: number;
}

/** What a user read, by that user's days. */
export class ReadingStatistics {
  readonly #database: Kysely<ReaderTables>;
  readonly #library: CollectionContract;

  constructor(database: Kysely<ReaderTables>, library: CollectionContract) {
    this.#database = database;
    this.#library = library;
  }

  async read(viewer: Viewer, options: { timeZone: string; days: number; now: number }): Promise<Statistics> {
    const userId = viewer.user.id;
    const [quarters, progress, series] = await Promise.all([this.#quarters(userId), this.#progressCounts(userId), this.#bySeries(viewer)]);
    const dayOf = dayNamer(options.timeZone);
    const days = sumByDay(quarters, dayOf);
    const today = dayOf(options.now);
    return {
      timeZone: options.timeZone,
      ...progress,
      pagesRead: quarters.reduce((sum, quarter) => sum + quarter.pages, 0),
      streak: streaks(days, today),
      days: lastDays(days, today, options.days),
      series,
    };
  }

  async #quarters(userId: number): Promise<Array<Amount & { at: number }>> {
    const rows = await this.#database
      .selectFrom("activity")
      .select((select) => ["quarter", select.fn.sum<number>("pages").as("pages"), select.fn.sum<number>("finished").as("finished")])
      .where("user_id", "=", userId)
      .groupBy("quarter")
      .orderBy("quarter")
      .execute();
    return rows.map((row) => ({ at: row.quarter * quarterMs, pages: Number(row.pages), finished: Number(row.finished) }));
  }

  async #progressCounts(userId: number): Promise<{ issuesFinished: number; issuesBegun: number }> {
    const row = await this.#database
      .selectFrom("progress")
      .select((select) => [select.fn.sum<number | null>("times_finished").as("finished"), select.fn.countAll<number>().as("touched"), select.fn.sum<number | null>("completed").as("completed")])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return { issuesFinished: Number(row.finished ?? 0), issuesBegun: Number(row.touched) - Number(row.completed ?? 0) };
  }

  async #bySeries(viewer: Viewer): Promise<Statistics["series"]> {
    const rows = await this.#database
      .selectFrom("activity")
      .select((select) => ["issue_id as issueId", select.fn.sum<number>("pages").as("pages"), select.fn.sum<number>("finished").as("finished")])
      .where("user_id", "=", viewer.user.id)
      .groupBy("issue_id")
      .execute();
    const sums = new Map<number, Statistics["series"][number]>();
    for await (const { record, issue } of visibleIssues(this.#library, rows, viewer)) {
      const before = sums.get(issue.seriesId) ?? { seriesId: issue.seriesId, series: issue.seriesTitle, pages: 0, finished: 0 };
      sums.set(issue.seriesId, { ...before, pages: before.pages + Number(record.pages), finished: before.finished + Number(record.finished) });
    }
    return [...sums.values()].sort((one, other) => other.pages - one.pages || one.series.localeCompare(other.series)).slice(0, topSeries);
  }
}

/** Names the day on which an instant falls in a time zone: `2026-03-01`. */
function dayNamer(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (ms) => format.format(ms);
}

function sumByDay(quarters: ReadonlyArray<Amount & { at: number }>, dayOf: (ms: number) => string): Map<string, Amount> {
  const days = new Map<string, Amount>();
  for (const { at, pages, finished } of quarters) {
    const day = dayOf(at);
    const before = days.get(day);
    days.set(day, { pages: pages + (before?.pages ?? 0), finished: finished + (before?.finished ?? 0) });
  }
  return days;
}

/** A streak that reached yesterday still stands: today is not over. */
function streaks(days: ReadonlyMap<string, Amount>, today: string): Statistics["streak"] {
  let longest = 0;
  let length = 0;
  let previous: string | undefined;
  for (const day of [...days.keys()].sort()) {
    length = previous !== undefined && dayAfter(previous) === day ? length + 1 : 1;
    longest = Math.max(longest, length);
    previous = day;
  }
  const stands = previous !== undefined && (previous === today || dayAfter(previous) === today);
  return { current: stands ? length : 0, longest };
}

function lastDays(days: ReadonlyMap<string, Amount>, today: string, count: number): Statistics["days"] {
  const end = Date.parse(today);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 10);
    return { day, pages: days.get(day)?.pages ?? 0, finished: days.get(day)?.finished ?? 0 };
  });
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}

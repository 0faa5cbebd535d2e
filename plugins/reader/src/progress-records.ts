import { sql, type Kysely, type Selectable, type SqlBool, type Transaction } from "kysely";
import { joinProgress, mergeProgress, unread, type MergedProgress, type Progress, type ProgressReport } from "./progress-report.js";
import type { ProgressTable, ReaderTables } from "./tables.js";

export interface IssueKey {
  readonly userId: number;
  readonly issueId: number;
}

export interface ProgressRecord extends Progress {
  readonly issueId: number;
  readonly seriesId: number;
}

const quarterMs = 15 * 60 * 1000;

/** The progress of every user, and what was read when. */
export class ProgressRecords {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  async find(userId: number, issueIds: readonly number[]): Promise<ProgressRecord[]> {
    if (issueIds.length === 0) return [];
    const rows = await this.#database.selectFrom("progress").selectAll().where("user_id", "=", userId).where(sql<SqlBool>`issue_id in (select value from json_each(${JSON.stringify(issueIds)}))`).execute();
    return rows.map(toRecord);
  }

  async findOne({ userId, issueId }: IssueKey): Promise<ProgressRecord | undefined> {
    return (await this.find(userId, [issueId]))[0];
  }

  /** Issues begun and not finished, last read first. */
  async listBegun(userId: number): Promise<ProgressRecord[]> {
    const rows = await this.#database.selectFrom("progress").selectAll().where("user_id", "=", userId).where("completed", "=", 0).orderBy("read_at", "desc").orderBy("issue_id").execute();
    return rows.map(toRecord);
  }

  /** Finished issues, last finished first. */
  async listFinished(userId: number, limit: number): Promise<ProgressRecord[]> {
    const rows = await this.#database.selectFrom("progress").selectAll().where("user_id", "=", userId).where("finished_at", "is not", null).orderBy("finished_at", "desc").orderBy("issue_id", "desc").limit(limit).execute();
    return rows.map(toRecord);
  }

  /** What was finished last in each series, last finished first. */
  async listFinishedBySeries(userId: number, limit: number): Promise<ProgressRecord[]> {
    const rows = await this.#database
      .selectFrom("progress")
      .selectAll()
      // SQLite takes the other columns from the row that has the largest value.
      .select((select) => select.fn.max(sql<string>`printf('%020d %020d', finished_at, issue_id)`).as("last"))
      .where("user_id", "=", userId)
      .where("finished_at", "is not", null)
      .groupBy("series_id")
      .orderBy("last", "desc")
      .limit(limit)
      .execute();
    return rows.map(toRecord);
  }

  async listSeriesTouched(userId: number): Promise<number[]> {
    const rows = await this.#database.selectFrom("progress").select("series_id").distinct().where("user_id", "=", userId).execute();
    return rows.map((row) => row.series_id);
  }

  /** Merges a device's report into what is kept, and counts what was read. */
  async report(key: IssueKey, seriesId: number, report: ProgressReport): Promise<ProgressRecord> {
    return this.#database.transaction().execute(async (transaction) => {
      const kept = await findKept(transaction, key);
      const begunAt = await findBeginning(transaction, key);
      const merged = mergeProgress({ kept, begunAt }, report);
      if (!merged) return { ...key, seriesId, ...(kept ?? { ...unread, pages: report.pages, readAt: begunAt }) };
      await put(transaction, key, seriesId, merged.progress);
      if (merged.isBeginning) await begin(transaction, key, report.readAt);
      await countReading(transaction, key, report.readAt, merged);
      return { ...key, seriesId, ...merged.progress };
    });
  }

  /** Marks issues as read without counting pages, and takes them off the later shelf; or forgets that they were. */
  async mark(userId: number, issues: ReadonlyArray<{ issueId: number; seriesId: number; pages: number }>, mark: { read: boolean; at: number }): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (const { issueId, seriesId, pages } of issues) {
        const key = { userId, issueId };
        if (mark.read) {
          await put(transaction, key, seriesId, markedRead(await findKept(transaction, key), pages, mark.at));
          await transaction.deleteFrom("later").where("user_id", "=", userId).where("issue_id", "=", issueId).execute();
        } else {
          const { numDeletedRows } = await transaction.deleteFrom("progress").where("user_id", "=", userId).where("issue_id", "=", issueId).executeTakeFirst();
          if (numDeletedRows > 0n) await begin(transaction, key, mark.at);
        }
      }
    });
  }
}

/** Hands the progress in one issue to another, and the choices made for its series where the other's has none. */
export async function moveProgress(transaction: Transaction<ReaderTables>, { from, to, seriesId }: { from: number; to: number; seriesId: number | undefined }): Promise<void> {
  for (const row of await transaction.selectFrom("progress").selectAll().where("issue_id", "=", from).execute()) {
    const key = { userId: row.user_id, issueId: to };
    const kept = await findKept(transaction, key);
    await put(transaction, key, seriesId ?? row.series_id, kept ? joinProgress(kept, toRecord(row)) : toRecord(row));
    if (seriesId !== undefined && seriesId !== row.series_id) await copyChoices(transaction, { userId: row.user_id, from: row.series_id, to: seriesId });
  }
  await transaction.deleteFrom("progress").where("issue_id", "=", from).execute();
  for (const row of await transaction.selectFrom("beginning").selectAll().where("issue_id", "=", from).execute()) await begin(transaction, { userId: row.user_id, issueId: to }, row.at);
  await transaction.deleteFrom("beginning").where("issue_id", "=", from).execute();
}

async function copyChoices(transaction: Transaction<ReaderTables>, { userId, from, to }: { userId: number; from: number; to: number }): Promise<void> {
  const row = await transaction.selectFrom("preference").selectAll().where("user_id", "=", userId).where("series_id", "=", from).executeTakeFirst();
  if (row) await transaction.insertInto("preference").values({ ...row, series_id: to }).onConflict((conflict) => conflict.doNothing()).execute();
}

async function findBeginning(database: Transaction<ReaderTables>, { userId, issueId }: IssueKey): Promise<number> {
  const row = await database.selectFrom("beginning").select("at").where("user_id", "=", userId).where("issue_id", "=", issueId).executeTakeFirst();
  return row?.at ?? -Infinity;
}

/** From now on nothing counts that was read before. */
async function begin(database: Transaction<ReaderTables>, { userId, issueId }: IssueKey, at: number): Promise<void> {
  await database
    .insertInto("beginning")
    .values({ user_id: userId, issue_id: issueId, at })
    .onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doUpdateSet((set) => ({ at: set.fn("max", ["beginning.at", set.val(at)]) })))
    .execute();
}

function markedRead(kept: Progress | undefined, pages: number, at: number): Progress {
  if (kept?.completed) return kept;
  const count = Math.max(pages, kept?.pages ?? 1, 1);
  return { page: count - 1, pages: count, furthest: count, completed: true, readAt: at, finishedAt: at, timesFinished: (kept?.timesFinished ?? 0) + 1 };
}

async function findKept(database: Transaction<ReaderTables>, { userId, issueId }: IssueKey): Promise<Progress | undefined> {
  const row = await database.selectFrom("progress").selectAll().where("user_id", "=", userId).where("issue_id", "=", issueId).executeTakeFirst();
  return row && toRecord(row);
}

async function put(database: Transaction<ReaderTables>, { userId, issueId }: IssueKey, seriesId: number, progress: Progress): Promise<void> {
  const row = {
    series_id: seriesId,
    page: progress.page,
    pages: progress.pages,
    furthest: progress.furthest,
    completed: Number(progress.completed),
    read_at: progress.readAt,
    finished_at: progress.finishedAt ?? null,
    times_finished: progress.timesFinished,
  };
  await database.insertInto("progress").values({ user_id: userId, issue_id: issueId, ...row }).onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doUpdateSet(row)).execute();
}

async function countReading(database: Transaction<ReaderTables>, { userId, issueId }: IssueKey, readAt: number, merged: MergedProgress): Promise<void> {
  const { pagesGained, finished } = merged;
  if (pagesGained === 0 && !finished) return;
  await database
    .insertInto("activity")
    .values({ user_id: userId, quarter: Math.floor(readAt / quarterMs), issue_id: issueId, pages: pagesGained, finished: Number(finished) })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "quarter", "issue_id"]).doUpdateSet((set) => ({ pages: set("activity.pages", "+", pagesGained), finished: set("activity.finished", "+", Number(finished)) })),
    )
    .execute();
}

function toRecord(row: Selectable<ProgressTable>): ProgressRecord {
  return {
    issueId: row.issue_id,
    seriesId: row.series_id,
    page: row.page,
    pages: row.pages,
    furthest: row.furthest,
    completed: row.completed === 1,
    readAt: row.read_at,
    finishedAt: row.finished_at ?? undefined,
    timesFinished: row.times_finished,
  };
}

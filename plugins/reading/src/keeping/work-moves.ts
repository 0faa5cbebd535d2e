import type { Kysely, Transaction } from "kysely";
import { joinProgress } from "../progress/joining.js";
import type { HistoryTable, ReadingTables } from "../tables.js";
import { ProgressRecords } from "./progress-records.js";
import { toProgress, type WorkHints } from "./progress-rows.js";

export interface WorkMove {
  readonly from: number;
  readonly to: number;
  /** What the collection knows of the work that stays; undefined when that is gone as well. */
  readonly work: WorkHints | undefined;
}

/**
 * Moves the progress of users in one work to the work that it was merged into. Where both have progress, it is
 * joined. @returns the affected users
 */
export async function moveWork(database: Kysely<ReadingTables>, move: WorkMove): Promise<number[]> {
  return database.transaction().execute(async (transaction) => {
    const users = new Set([
      ...(await moveProgress(transaction, move)),
      ...(await moveHistory(transaction, move)),
      ...(await moveLater(transaction, move)),
    ]);
    await moveDevices(transaction, move);
    return [...users];
  });
}

async function moveProgress(transaction: Transaction<ReadingTables>, { from, to, work }: WorkMove): Promise<number[]> {
  const rows = await transaction.selectFrom("progress").selectAll().where("issue_id", "=", from).execute();
  const records = new ProgressRecords(transaction);
  for (const row of rows) {
    const [kept] = await records.find(row.user_id, [to]);
    const progress = kept ? joinProgress(toProgress(kept), toProgress(row)) : toProgress(row);
    const hints = work ?? { seriesId: row.series_id, type: row.work_type };
    await records.put([{ userId: row.user_id, issueId: to, work: hints, progress }]);
  }
  await transaction.deleteFrom("progress").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

async function moveDevices(transaction: Transaction<ReadingTables>, { from, to }: WorkMove): Promise<void> {
  const rows = await transaction.selectFrom("device_place").selectAll().where("issue_id", "=", from).execute();
  for (const { position, at, ...row } of rows)
    await transaction
      .insertInto("device_place")
      .values({ ...row, position, at, issue_id: to })
      .onConflict((conflict) =>
        conflict
          .columns(["user_id", "issue_id", "device"])
          .doUpdateSet({ position, at })
          .where("device_place.at", "<", at),
      )
      .execute();
  await transaction.deleteFrom("device_place").where("issue_id", "=", from).execute();
}

async function moveHistory(transaction: Transaction<ReadingTables>, { from, to, work }: WorkMove): Promise<number[]> {
  const rows = await transaction.selectFrom("history").selectAll().where("issue_id", "=", from).execute();
  for (const row of rows) await addHistory(transaction, { ...row, issue_id: to, ...hintColumns(work) });
  await transaction.deleteFrom("history").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

async function addHistory(transaction: Transaction<ReadingTables>, row: HistoryTable): Promise<void> {
  await transaction
    .insertInto("history")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "quarter_at", "issue_id", "device"]).doUpdateSet(({ eb }) => ({
        pages: eb("history.pages", "+", row.pages),
        seconds: eb("history.seconds", "+", row.seconds),
        finished: eb("history.finished", "+", row.finished),
      })),
    )
    .execute();
}

async function moveLater(transaction: Transaction<ReadingTables>, { from, to }: WorkMove): Promise<number[]> {
  const rows = await transaction.selectFrom("later").selectAll().where("issue_id", "=", from).execute();
  for (const row of rows)
    await transaction
      .insertInto("later")
      .values({ ...row, issue_id: to })
      .onConflict((conflict) => conflict.columns(["user_id", "issue_id"]).doNothing())
      .execute();
  await transaction.deleteFrom("later").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

function hintColumns(work: WorkHints | undefined): Partial<Pick<HistoryTable, "series_id" | "work_type">> {
  return work ? { series_id: work.seriesId, work_type: work.type } : {};
}

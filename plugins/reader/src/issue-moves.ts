import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import type { ReaderTables } from "./tables.js";

/** How many issues are looked up at once. */
const batch = 500;

interface Move {
  readonly from: number;
  readonly to: number;
  /** The id of the remaining issue; undefined when that is gone too. */
  readonly seriesId: number | undefined;
}

/**
 * Moves the bookmarks, notes and opinions, and the preferences of the series, from one issue to the issue that it was
 * merged into. Existing rows are kept. @returns the affected users
 */
export async function moveIssue(
  database: Kysely<ReaderTables>,
  library: CollectionContract,
  { from, to }: { from: number; to: number },
): Promise<readonly number[]> {
  const [issue] = await library.findIssues([to], systemViewer);
  const move = { from, to, seriesId: issue?.seriesId };
  return database.transaction().execute(async (transaction) => {
    const users = [
      ...(await moveBookmarks(transaction, move)),
      ...(await moveNotes(transaction, move)),
      ...(await moveOpinions(transaction, move)),
      ...(await copyChoices(transaction, move)),
    ];
    return [...new Set(users)];
  });
}

/** Applies merges of issues that happened while this plugin was not running. @returns the affected users */
export async function followMissedMoves(
  database: Kysely<ReaderTables>,
  library: CollectionContract,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const users = new Set<number>();
  const ids = await keptIssues(database);
  for (let start = 0; start < ids.length && !signal.aborted; start += batch) {
    const asked = ids.slice(start, start + batch);
    const known = new Set((await library.findIssues(asked, systemViewer)).map((issue) => issue.id));
    for (const from of asked.filter((id) => !known.has(id))) {
      const [issue] = await library.findIssues([from], systemViewer);
      if (!issue || signal.aborted) continue;
      for (const userId of await moveIssue(database, library, { from, to: issue.id })) users.add(userId);
    }
  }
  return [...users];
}

async function keptIssues(database: Kysely<ReaderTables>): Promise<number[]> {
  const ids = new Set<number>();
  for (const table of ["bookmark", "note", "opinion", "preference"] as const)
    for (const { issue_id } of await database.selectFrom(table).select("issue_id").distinct().execute())
      if (issue_id !== null) ids.add(issue_id);
  return [...ids];
}

async function moveBookmarks(transaction: Transaction<ReaderTables>, { from, to }: Move): Promise<number[]> {
  const rows = await transaction.selectFrom("bookmark").selectAll().where("issue_id", "=", from).execute();
  for (const row of rows)
    await transaction
      .insertInto("bookmark")
      .values({ ...row, issue_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await transaction.deleteFrom("bookmark").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

async function moveNotes(transaction: Transaction<ReaderTables>, { from, to }: Move): Promise<number[]> {
  const rows = await transaction.selectFrom("note").selectAll().where("issue_id", "=", from).execute();
  for (const row of rows)
    await transaction
      .insertInto("note")
      .values({ ...row, issue_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await transaction.deleteFrom("note").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

async function moveOpinions(transaction: Transaction<ReaderTables>, { from, to }: Move): Promise<number[]> {
  const rows = await transaction.selectFrom("opinion").selectAll().where("issue_id", "=", from).execute();
  for (const row of rows)
    await transaction
      .insertInto("opinion")
      .values({ ...row, issue_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await transaction.deleteFrom("opinion").where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

async function copyChoices(transaction: Transaction<ReaderTables>, { from, to, seriesId }: Move): Promise<number[]> {
  const rows = await transaction.selectFrom("preference").selectAll().where("issue_id", "=", from).execute();
  if (seriesId === undefined) return [];
  for (const row of rows)
    await transaction
      .insertInto("preference")
      .values({ ...row, series_id: seriesId, issue_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await transaction.updateTable("preference").set({ issue_id: to }).where("issue_id", "=", from).execute();
  return rows.map((row) => row.user_id);
}

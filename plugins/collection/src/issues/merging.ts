import { sql } from "kysely";
import { recountIssues } from "../counting/counters.js";
import { moveIds } from "../ids/external-ids.js";
import { moveWork } from "../works/works.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionTransaction } from "../tables.js";

export interface IssueMerge {
  readonly from: number;
  readonly to: number;
}

/** Makes one issue of two: whatever belonged to `from` belongs to `to`, and the negative id of `from` leads there for ever. */
export async function mergeIssue(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<void> {
  const target = await transaction
    .selectFrom("issue")
    .select(["series_id", "pick"])
    .where("id", "=", to)
    .executeTakeFirstOrThrow();
  const source = await transaction
    .selectFrom("issue")
    .select(["pick", "pick_why", "pick_reason"])
    .where("id", "=", from)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable("file")
    .set({ issue_id: to, series_id: target.series_id })
    .where("issue_id", "=", from)
    .execute();
  await transaction
    .updateTable("assignment")
    .set({ issue_id: to, series_id: target.series_id })
    .where("issue_id", "=", from)
    .execute();
  if (target.pick === null && source.pick !== null)
    await transaction.updateTable("issue").set(source).where("id", "=", to).execute();
  await sql`update or ignore issue_detail set issue_id = ${to} where issue_id = ${from}`.execute(transaction);
  await moveIds(transaction, "issue", { from, to });
  await moveWork(transaction, { from, to });
  await transaction.deleteFrom("issue").where("id", "=", from).execute();
  await transaction.updateTable("issue_merge").set({ to_id: to }).where("to_id", "=", from).execute();
  await transaction.insertInto("issue_merge").values({ from_id: from, to_id: to }).execute();
  await recountIssues(transaction, [to]);
}

/** Makes one series of two. Issues of the same number become one; the others move. @returns the issues that became one */
export async function mergeSeries(
  transaction: CollectionTransaction,
  search: SearchIndex,
  ids: { from: number; to: number },
): Promise<IssueMerge[]> {
  const { from, to } = ids;
  const there = await transaction
    .selectFrom("issue")
    .select(["id", "sort_key", "listed"])
    .where("series_id", "=", to)
    .orderBy("listed")
    .orderBy("id", "desc")
    .execute();
  const byKey = new Map(there.map((issue) => [issue.sort_key, issue.id]));
  const merges: IssueMerge[] = [];
  for (const issue of await transaction
    .selectFrom("issue")
    .select(["id", "sort_key"])
    .where("series_id", "=", from)
    .orderBy("id")
    .execute()) {
    const target = byKey.get(issue.sort_key);
    if (target !== undefined) {
      await mergeIssue(transaction, { from: issue.id, to: target });
      merges.push({ from: issue.id, to: target });
    } else await moveIssue(transaction, issue.id, to);
  }
  await sql`update or ignore series_source set series_id = ${to} where series_id = ${from}`.execute(transaction);
  await sql`update or ignore series_creator set series_id = ${to} where series_id = ${from}`.execute(transaction);
  await sql`update or ignore follow set series_id = ${to} where series_id = ${from}`.execute(transaction);
  await moveIds(transaction, "series", { from, to });
  await search.remove(transaction, [from]);
  await transaction.deleteFrom("series").where("id", "=", from).execute();
  await transaction.updateTable("series_merge").set({ to_id: to }).where("to_id", "=", from).execute();
  await transaction.insertInto("series_merge").values({ from_id: from, to_id: to }).execute();
  return merges;
}

export async function moveIssue(transaction: CollectionTransaction, issueId: number, seriesId: number): Promise<void> {
  await transaction.updateTable("issue").set({ series_id: seriesId, present: 1 }).where("id", "=", issueId).execute();
  await transaction.updateTable("file").set({ series_id: seriesId }).where("issue_id", "=", issueId).execute();
  await transaction.updateTable("assignment").set({ series_id: seriesId }).where("issue_id", "=", issueId).execute();
}

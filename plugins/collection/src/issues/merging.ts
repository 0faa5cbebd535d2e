import { foldTitle } from "@longbox/sdk";
import { recountIssues } from "../counting/counters.js";
import { moveIds, writeIds } from "../ids/external-ids.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionTransaction, IssueTable, SeriesTable } from "../tables.js";
import { refreshHidden } from "../visibility.js";
import { keepIssueEdits } from "./issue-editing.js";
import { moveWork } from "../works/moving-works.js";

export interface IssueMerge {
  readonly from: number;
  readonly to: number;
}

/** Merges two issues: all data of `from` goes to `to`, and the ids of `from` lead to it from now on. */
export async function mergeIssue(transaction: CollectionTransaction, merge: IssueMerge): Promise<void> {
  const { from, to } = merge;
  const target = await getIssue(transaction, to);
  const source = await getIssue(transaction, from);
  const held = { issue_id: to, series_id: target.series_id };
  await transaction.updateTable("file").set(held).where("issue_id", "=", from).execute();
  await transaction.updateTable("assignment").set(held).where("issue_id", "=", from).execute();
  const detail = await moveDetail(transaction, merge);
  await moveIds(transaction, "issue", merge);
  await moveWork(transaction, merge);
  await transaction.deleteFrom("issue").where("id", "=", from).execute();
  const learnt = learntFrom(source, target, detail);
  if (Object.keys(learnt).length > 0) await transaction.updateTable("issue").set(learnt).where("id", "=", to).execute();
  await keepIssueEdits(transaction, [to]);
  await keepProviderId(transaction, source, target);
  await transaction.updateTable("issue_merge").set({ to_id: to }).where("to_id", "=", from).execute();
  await transaction
    .updateTable("series")
    .set({ chosen_cover_id: to })
    .where("id", "in", [source.series_id, target.series_id])
    .where("chosen_cover_id", "=", from)
    .execute();
  await transaction.insertInto("issue_merge").values({ from_id: from, to_id: to }).execute();
  await recountIssues(transaction, [to]);
}

async function getIssue(transaction: CollectionTransaction, id: number): Promise<IssueTable> {
  return await transaction.selectFrom("issue").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** @returns whether `to` has the detail of `from` now; its own is kept. */
async function moveDetail(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<boolean> {
  const own = await transaction
    .selectFrom("issue_detail")
    .select("issue_id")
    .where("issue_id", "=", to)
    .executeTakeFirst();
  if (own) return false;
  await transaction.updateTable("issue_detail").set({ issue_id: to }).where("issue_id", "=", from).execute();
  return true;
}

/** Fills in data that the remaining issue did not have. */
function learntFrom(source: IssueTable, target: IssueTable, detail: boolean): Partial<IssueTable> {
  const learnt: Partial<IssueTable> = {};
  if (target.pick === null && source.pick !== null) {
    learnt.pick = source.pick;
    learnt.pick_why = source.pick_why;
    learnt.pick_reason = source.pick_reason;
  }
  if (target.title === null && source.title !== null) {
    learnt.title = source.title;
    learnt.title_words = source.title_words;
  }
  if (target.cover_date === null && source.cover_date !== null) learnt.cover_date = source.cover_date;
  if (target.store_date === null && source.store_date !== null) learnt.store_date = source.store_date;
  if (target.edits === null && source.edits !== null) learnt.edits = source.edits;
  if (target.cover_page === null && source.cover_page !== null) learnt.cover_page = source.cover_page;
  if (target.language === null && source.language !== null) learnt.language = source.language;
  if (target.cv_issue_id === null && source.cv_issue_id !== null) {
    learnt.cv_issue_id = source.cv_issue_id;
    learnt.listed = source.listed;
  }
  if (detail && source.described === 1) learnt.described = 1;
  return learnt;
}

/** The provider's id that clients know the issue by leads to the remaining one, although that has another. */
async function keepProviderId(
  transaction: CollectionTransaction,
  source: IssueTable,
  target: IssueTable,
): Promise<void> {
  if (source.cv_issue_id === null || target.cv_issue_id === null) return;
  await writeIds(transaction, [
    { subject: "issue", subject_id: target.id, scheme: "cv", value: String(source.cv_issue_id) },
  ]);
}

/**
 * Makes one series of two. Issues of the same number become one; the others move.
 * @returns the issues that became one
 */
export async function mergeSeries(
  transaction: CollectionTransaction,
  search: SearchIndex,
  ids: IssueMerge,
): Promise<IssueMerge[]> {
  const { from, to } = ids;
  const merges = await mergeIssues(transaction, ids);
  await transaction.updateTable("series_source").set({ series_id: to }).where("series_id", "=", from).execute();
  await moveCreators(transaction, ids);
  await moveFollowers(transaction, ids);
  await moveIds(transaction, "series", ids);
  await keepNames(transaction, ids);
  await search.remove(transaction, [from]);
  await transaction.deleteFrom("series").where("id", "=", from).execute();
  await transaction.updateTable("series_merge").set({ to_id: to }).where("to_id", "=", from).execute();
  await transaction.insertInto("series_merge").values({ from_id: from, to_id: to }).execute();
  await refreshHidden(transaction, [to]);
  return merges;
}

async function mergeIssues(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<IssueMerge[]> {
  const issuesOf = (seriesId: number) =>
    transaction.selectFrom("issue").select(["id", "sort_key"]).where("series_id", "=", seriesId);
  const there = await issuesOf(to).orderBy("listed").orderBy("id", "desc").execute();
  const byKey = new Map(there.map((issue) => [issue.sort_key, issue.id]));
  const merges: IssueMerge[] = [];
  for (const issue of await issuesOf(from).orderBy("id").execute()) {
    const target = byKey.get(issue.sort_key);
    if (target !== undefined) {
      await mergeIssue(transaction, { from: issue.id, to: target });
      merges.push({ from: issue.id, to: target });
    } else await moveIssue(transaction, issue.id, to);
  }
  return merges;
}

async function moveCreators(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<void> {
  await transaction
    .insertInto("series_creator")
    .columns(["series_id", "name"])
    .expression((eb) =>
      eb
        .selectFrom("series_creator")
        .select((of) => [of.val(to).as("series_id"), "name"])
        .where("series_id", "=", from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function moveFollowers(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<void> {
  await transaction
    .insertInto("follow")
    .columns(["user_id", "series_id", "followed_at"])
    .expression((eb) =>
      eb
        .selectFrom("follow")
        .select((of) => ["user_id", of.val(to).as("series_id"), "followed_at"])
        .where("series_id", "=", from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The remaining series is found by the names of the other one, and stays hidden if that one was. */
async function keepNames(transaction: CollectionTransaction, { from, to }: IssueMerge): Promise<void> {
  const columns = ["title", "aliases", "restricted", "hidden", "library_id"] as const;
  const get = (id: number) =>
    transaction.selectFrom("series").select(columns).where("id", "=", id).executeTakeFirstOrThrow();
  const [source, target] = [await get(from), await get(to)];
  const set: Partial<SeriesTable> = {
    aliases: JSON.stringify(joinedAliases(source, target)),
    // Also when it was only its library that hid the other one: the remaining series may be in another library.
    restricted: source.hidden === 1 ? 1 : target.restricted,
    library_id: target.library_id ?? source.library_id,
  };
  await transaction.updateTable("series").set(set).where("id", "=", to).execute();
}

function joinedAliases(
  source: Pick<SeriesTable, "title" | "aliases">,
  target: Pick<SeriesTable, "title" | "aliases">,
): string[] {
  const listed = JSON.parse(target.aliases) as string[];
  const known = new Set([target.title, ...listed].map(foldTitle));
  const added = [source.title, ...(JSON.parse(source.aliases) as string[])].filter((name) => {
    const isNew = !known.has(foldTitle(name));
    known.add(foldTitle(name));
    return isNew;
  });
  return [...listed, ...added];
}

export async function moveIssue(transaction: CollectionTransaction, issueId: number, seriesId: number): Promise<void> {
  await transaction.updateTable("issue").set({ series_id: seriesId, present: 1 }).where("id", "=", issueId).execute();
  await transaction.updateTable("file").set({ series_id: seriesId }).where("issue_id", "=", issueId).execute();
  await transaction.updateTable("assignment").set({ series_id: seriesId }).where("issue_id", "=", issueId).execute();
}

import { inBatches } from "@longbox/sdk";
import { recountIssues, recountSeries } from "../counting/counters.js";
import { moveIssue } from "../issues/merging.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionTransaction, IssueTable } from "../tables.js";
import { refreshHidden } from "../visibility.js";
import type { BeforeJoining, IssueBefore, JoinedPair } from "./before-joining.js";

/**
 * Makes two series of one again. What came to the joined series since stays there.
 * @returns the issues that are issues of their own again: data that they had given to others goes back to them
 */
export async function partSeries(
  transaction: CollectionTransaction,
  search: SearchIndex,
  before: BeforeJoining,
): Promise<JoinedPair[]> {
  const { series, target } = before;
  const merged = new Set(before.issues.map(({ issue }) => issue.id));
  await freeProviderIds(transaction, before);
  await transaction.insertInto("series").values(series).execute();
  for (const issue of before.issues) await partIssue(transaction, issue);
  for (const id of before.issueIds.filter((issueId) => !merged.has(issueId)))
    if (await isIn(transaction, id, target.id)) await moveIssue(transaction, id, series.id);
  await giveBack(transaction, before);
  await restoreTarget(transaction, before);
  await transaction.deleteFrom("series_merge").where("from_id", "=", series.id).execute();
  await pointBack(transaction, "series_merge", { formerIds: before.formerIds, id: series.id });
  await refreshHidden(transaction, [series.id, target.id]);
  await recountIssues(transaction, [...before.issueIds, ...before.issues.map((issue) => issue.target.id)]);
  await recountSeries(transaction, [series.id, target.id]);
  await search.refresh(transaction, [series.id, target.id]);
  return before.issues.map(({ issue, target: other }) => ({ from: other.id, to: issue.id }));
}

/** A provider's id is that of one issue alone. */
async function freeProviderIds(transaction: CollectionTransaction, { issues }: BeforeJoining): Promise<void> {
  for (const { issue, target } of issues)
    if (issue.cv_issue_id !== null)
      await transaction
        .updateTable("issue")
        .set({ cv_issue_id: target.cv_issue_id, listed: target.listed })
        .where("id", "=", target.id)
        .where("cv_issue_id", "=", issue.cv_issue_id)
        .execute();
}

async function isIn(transaction: CollectionTransaction, issueId: number, seriesId: number): Promise<boolean> {
  const row = await transaction
    .selectFrom("issue")
    .select("id")
    .where("id", "=", issueId)
    .where("series_id", "=", seriesId)
    .executeTakeFirst();
  return row !== undefined;
}

async function partIssue(transaction: CollectionTransaction, before: IssueBefore): Promise<void> {
  const { issue, target } = before;
  await transaction.insertInto("issue").values(issue).execute();
  const home = { issue_id: issue.id, series_id: issue.series_id };
  for (const ids of inBatches(before.fileIds))
    await transaction.updateTable("file").set(home).where("id", "in", ids).where("issue_id", "=", target.id).execute();
  for (const paths of inBatches(before.assignedPaths))
    await transaction
      .updateTable("assignment")
      .set(home)
      .where("path", "in", paths)
      .where("issue_id", "=", target.id)
      .execute();
  await partDetail(transaction, before);
  await takeBackIds(transaction, before.ids, target.id);
  for (const { issue_id, work_id } of before.works)
    await transaction
      .insertInto("work_issue")
      .values({ issue_id, work_id })
      .onConflict((conflict) => conflict.column("issue_id").doUpdateSet({ work_id }))
      .execute();
  await transaction.updateTable("issue").set(forgotten(before)).where("id", "=", target.id).execute();
  await transaction.deleteFrom("issue_merge").where("from_id", "=", issue.id).execute();
  await pointBack(transaction, "issue_merge", { formerIds: before.formerIds, id: issue.id });
}

async function partDetail(transaction: CollectionTransaction, before: IssueBefore): Promise<void> {
  if (!before.detail) return;
  const { target, targetHasDetail } = before;
  if (!targetHasDetail) await transaction.deleteFrom("issue_detail").where("issue_id", "=", target.id).execute();
  await transaction.insertInto("issue_detail").values(before.detail).execute();
}

/** What the remaining issue had learnt from the other one. */
function forgotten({ issue, target }: IssueBefore): Partial<IssueTable> {
  const learnt = ["title", "title_words", "cover_date", "store_date", "language"] as const;
  const columns = learnt.filter((column) => target[column] === null && issue[column] !== null);
  const picked = target.pick === null && issue.pick !== null;
  return {
    described: target.described,
    ...Object.fromEntries(columns.map((column) => [column, null])),
    ...(picked && { pick: null, pick_why: null, pick_reason: null }),
  };
}

async function takeBackIds(
  transaction: CollectionTransaction,
  ids: BeforeJoining["ids"],
  targetId: number,
): Promise<void> {
  for (const { subject, scheme, value, subject_id } of ids) {
    await transaction
      .deleteFrom("external_id")
      .where("subject", "=", subject)
      .where("subject_id", "=", targetId)
      .where("scheme", "=", scheme)
      .where("value", "=", value)
      .execute();
    await transaction.insertInto("external_id").values({ subject, subject_id, scheme, value }).execute();
  }
}

/** The names and folders by which files find it, its people and its followers. */
async function giveBack(transaction: CollectionTransaction, before: BeforeJoining): Promise<void> {
  const { target } = before;
  for (const source of before.sources)
    await transaction
      .insertInto("series_source")
      .values(source)
      .onConflict((conflict) => conflict.columns(["folder", "name_key"]).doUpdateSet({ series_id: source.series_id }))
      .execute();
  for (const some of inBatches(before.creators)) await transaction.insertInto("series_creator").values(some).execute();
  for (const some of inBatches(before.follows)) await transaction.insertInto("follow").values(some).execute();
  await takeBackIds(transaction, before.ids, target.id);
  const people = before.creators.map(({ name }) => name).filter((name) => !before.targetCreators.includes(name));
  for (const names of inBatches(people))
    await transaction
      .deleteFrom("series_creator")
      .where("series_id", "=", target.id)
      .where("name", "in", names)
      .execute();
  const users = before.follows.filter(({ user_id }) => !before.targetFollowers.includes(user_id));
  for (const { user_id, followed_at } of users)
    await transaction
      .deleteFrom("follow")
      .where("series_id", "=", target.id)
      .where("user_id", "=", user_id)
      .where("followed_at", "=", followed_at)
      .execute();
}

/** Names that it got since stay. */
async function restoreTarget(transaction: CollectionTransaction, { series, target }: BeforeJoining): Promise<void> {
  const now = await transaction
    .selectFrom("series")
    .select(["aliases", "library_id", "restricted"])
    .where("id", "=", target.id)
    .executeTakeFirstOrThrow();
  const gained = new Set([series.title, ...(JSON.parse(series.aliases) as string[])]);
  const own = JSON.parse(target.aliases) as string[];
  const aliases = (JSON.parse(now.aliases) as string[]).filter((name) => own.includes(name) || !gained.has(name));
  await transaction
    .updateTable("series")
    .set({
      aliases: JSON.stringify(aliases),
      restricted: series.hidden === 1 ? target.restricted : now.restricted,
      library_id: target.library_id === null && now.library_id === series.library_id ? null : now.library_id,
    })
    .where("id", "=", target.id)
    .execute();
}

/** What had become the parted one before. */
async function pointBack(
  transaction: CollectionTransaction,
  table: "series_merge" | "issue_merge",
  { formerIds, id }: { readonly formerIds: readonly number[]; readonly id: number },
): Promise<void> {
  for (const ids of inBatches(formerIds))
    await transaction.updateTable(table).set({ to_id: id }).where("from_id", "in", ids).execute();
}

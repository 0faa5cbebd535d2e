import { inBatches, isAmong } from "@longbox/sdk";
import { sql } from "kysely";
import type { ReadFile } from "../contract.js";
import { classRule } from "../series/series-class.js";
import { flag, type CollectionTransaction } from "../tables.js";
import { ownedGaps } from "./owned-gaps.js";

/**
 * Brings what issues say of their files up to date.
 * @param made - those that were made for their files just now
 * @returns those that were not owned before
 */
export async function recountIssues(
  transaction: CollectionTransaction,
  issueIds: readonly number[],
  made: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  const gained: number[] = [...made];
  for (const ids of inBatches(issueIds)) {
    const before = ids.filter((id) => !made.has(id));
    const missing = before.length === 0 ? [] : await idsOf(transaction, before, 0);
    await countFiles(transaction, ids);
    if (missing.length > 0) gained.push(...(await idsOf(transaction, missing, 1)));
  }
  return gained;
}

async function countFiles(transaction: CollectionTransaction, issueIds: readonly number[]): Promise<void> {
  await transaction
    .updateTable("issue")
    .from((from) =>
      from
        .selectFrom("issue as held")
        .leftJoin("file", "file.issue_id", "held.id")
        .where(isAmong("held.id", issueIds))
        .groupBy("held.id")
        .select([
          "held.id",
          sql<number>`case when count(file.id) > 0 then 1 else 0 end`.as("owned"),
          sql<number>`case when max(file.valid) = 0 then 1 else 0 end`.as("corrupt"),
          sql<number>`coalesce(max(file.tagged), 0)`.as("tagged"),
          sql<number>`coalesce(max(case when file.valid = 1 then file.pages - file.hidden_pages end), 0)`.as("pages"),
          sql<number | null>`max(case when file.valid = 1 then file.seconds end)`.as("seconds"),
          sql<string | null>`min(file.added_at)`.as("owned_at"),
        ])
        .as("counted"),
    )
    .set((eb) => ({
      owned: eb.ref("counted.owned"),
      corrupt: eb.ref("counted.corrupt"),
      tagged: eb.ref("counted.tagged"),
      pages: eb.ref("counted.pages"),
      seconds: eb.ref("counted.seconds"),
      owned_at: eb.ref("counted.owned_at"),
    }))
    .whereRef("issue.id", "=", "counted.id")
    .execute();
}

/** What {@link countFiles} finds of an issue whose only file was not known before. */
export function countsOfOnlyFile({ valid, tagged, pages, seconds }: ReadFile) {
  const length = valid ? { pages, seconds: seconds ?? null } : { pages: 0, seconds: null };
  return { owned: flag(true), corrupt: flag(!valid), tagged: flag(tagged), ...length };
}

/** Those of these issues that are owned, or not. */
async function idsOf(transaction: CollectionTransaction, ids: readonly number[], owned: 0 | 1): Promise<number[]> {
  const rows = await transaction
    .selectFrom("issue")
    .select("id")
    .where(isAmong("id", ids))
    .where("owned", "=", owned)
    .execute();
  return rows.map((row) => row.id);
}

/** What makes an issue wanted: it is not owned, and a pick says so, or the monitoring of the series does. */
const wantedRule = sql<number>`case
  when judged.owned = 1 or judged.present = 0 or series.state <> 'tracked' then 0
  when judged.pick is not null then judged.pick
  when series.monitor = 'all' then 1
  when series.monitor = 'new' and judged.kind = 'issue' and judged.value >= coalesce(series.monitor_from, 0) then 1
  else 0 end`;

/** Brings the counters of series up to date with their issues and files, and which of their issues are wanted. */
export async function recountSeries(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  for (const ids of inBatches([...new Set(seriesIds)])) {
    await judgeWanted(transaction, ids);
    await countIssues(transaction, ids);
    await countSeriesFiles(transaction, ids);
  }
}

async function judgeWanted(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  await transaction
    .updateTable("issue")
    .from((from) =>
      from
        .selectFrom("series")
        .innerJoin("issue as judged", "judged.series_id", "series.id")
        .where(isAmong("series.id", seriesIds))
        .select(["judged.id", wantedRule.as("wanted")])
        .as("judgement"),
    )
    .set((eb) => ({ wanted: eb.ref("judgement.wanted") }))
    .whereRef("issue.id", "=", "judgement.id")
    .whereRef("issue.wanted", "<>", "judgement.wanted")
    .execute();
}

const sums = [
  sql<number>`count(issue.id)`.as("total"),
  sql<number>`coalesce(sum(issue.owned), 0)`.as("owned"),
  sql<number>`count(issue.id) - coalesce(sum(issue.owned), 0)`.as("missing"),
  sql<number>`coalesce(sum(issue.wanted), 0)`.as("wanted"),
  sql<number>`count(*) filter (where issue.owned = 1 and issue.tagged = 0)`.as("untagged"),
  sql<number>`coalesce(sum(issue.corrupt), 0)`.as("corrupt"),
  sql<number>`count(*) filter (where issue.owned = 1 and issue.listed = 0 and matched.cv_id is not null)`.as(
    "unlinked",
  ),
  sql<number>`count(*) filter (where issue.kind = 'collected')`.as("collected"),
  ownedGaps.as("gaps"),
  sql<string | null>`max(coalesce(issue.store_date, issue.cover_date))`.as("latest"),
] as const;

async function countIssues(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  await transaction
    .updateTable("series")
    .from((from) =>
      from
        .selectFrom("series as matched")
        .leftJoin("issue", (join) => join.onRef("issue.series_id", "=", "matched.id").on("issue.present", "=", 1))
        .where(isAmong("matched.id", seriesIds))
        .groupBy("matched.id")
        .select(["matched.id", ...sums])
        .as("counted"),
    )
    .set((eb) => ({
      total: eb.ref("counted.total"),
      owned: eb.ref("counted.owned"),
      missing: eb.ref("counted.missing"),
      wanted: eb.ref("counted.wanted"),
      untagged: eb.ref("counted.untagged"),
      corrupt: eb.ref("counted.corrupt"),
      unlinked: eb.ref("counted.unlinked"),
      collected: eb.ref("counted.collected"),
      gaps: eb.ref("counted.gaps"),
      latest: eb.ref("counted.latest"),
    }))
    .whereRef("series.id", "=", "counted.id")
    .execute();
}

/** Files, the issue whose cover is shown, and the class, which depends on what was counted before. */
async function countSeriesFiles(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  await transaction
    .updateTable("series")
    .set((eb) => ({
      files: eb
        .selectFrom("file")
        .select((of) => of.fn.countAll<number>().as("files"))
        .whereRef("file.series_id", "=", "series.id"),
      size: eb
        .selectFrom("file")
        .select(sql<number>`coalesce(sum(file.size), 0)`.as("size"))
        .whereRef("file.series_id", "=", "series.id"),
      cover_issue_id: eb.fn.coalesce(
        eb
          .selectFrom("issue")
          .select("issue.id")
          .whereRef("issue.id", "=", "series.chosen_cover_id")
          .whereRef("issue.series_id", "=", "series.id")
          .where("issue.present", "=", 1),
        eb
          .selectFrom("issue")
          .select("issue.id")
          .whereRef("issue.series_id", "=", "series.id")
          .where("issue.present", "=", 1)
          .orderBy(sql`issue.owned - issue.corrupt`, "desc")
          .orderBy("issue.sort_key")
          .orderBy("issue.id")
          .limit(1),
      ),
      class: classRule,
    }))
    .where(isAmong("id", seriesIds))
    .execute();
}

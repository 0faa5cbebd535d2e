import { sql } from "kysely";
import { classRule } from "../series/series-class.js";
import { slices, type CollectionTransaction } from "../tables.js";

/** Brings what issues say of their files up to date. @returns those that nobody had before */
export async function recountIssues(
  transaction: CollectionTransaction,
  issueIds: readonly number[],
): Promise<number[]> {
  const gained: number[] = [];
  for (const ids of slices(issueIds)) {
    const missing = await idsOf(transaction, ids, 0);
    await sql`
      update issue set (owned, corrupt, tagged, pages, seconds, owned_at) = (
        select count(*) > 0, count(*) > 0 and max(file.valid) = 0, coalesce(max(file.tagged), 0),
          coalesce(max(case when file.valid = 1 then file.pages end), 0),
          max(case when file.valid = 1 then file.seconds end), min(file.added_at)
        from file where file.issue_id = issue.id)
      where id in (${sql.join(ids)})`.execute(transaction);
    if (missing.length > 0) gained.push(...(await idsOf(transaction, missing, 1)));
  }
  return gained;
}

/** Those of these issues that are owned, or not. */
async function idsOf(transaction: CollectionTransaction, ids: readonly number[], owned: 0 | 1): Promise<number[]> {
  const rows = await transaction
    .selectFrom("issue")
    .select("id")
    .where("id", "in", [...ids])
    .where("owned", "=", owned)
    .execute();
  return rows.map((row) => row.id);
}

/** What makes an issue wanted: nobody has it, and a pick says so, or the monitoring of the series does. */
const wantedRule = sql<number>`case
  when issue.owned = 1 or issue.present = 0 or series.state <> 'tracked' then 0
  when issue.pick is not null then issue.pick
  when series.monitor = 'all' then 1
  when series.monitor = 'new' and issue.kind = 'issue' and issue.value >= coalesce(series.monitor_from, 0) then 1
  else 0 end`;

/** Brings the counters of series up to date with their issues and files, and which of their issues are wanted. */
export async function recountSeries(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  for (const ids of slices([...new Set(seriesIds)])) {
    const listed = sql.join(ids);
    await sql`
      update issue set wanted = w.wanted
      from (select issue.id as id, ${wantedRule} as wanted from issue join series on series.id = issue.series_id where series.id in (${listed})) as w
      where issue.id = w.id and issue.wanted <> w.wanted`.execute(transaction);
    await sql`
      update series set (total, owned, missing, wanted, untagged, corrupt, unlinked, collected, latest) = (
        select count(*), coalesce(sum(owned), 0), count(*) - coalesce(sum(owned), 0), coalesce(sum(wanted), 0),
          coalesce(sum(owned and not tagged), 0), coalesce(sum(corrupt), 0),
          coalesce(sum(owned and not listed and series.cv_id is not null), 0), coalesce(sum(kind = 'collected'), 0),
          max(coalesce(store_date, cover_date))
        from issue where issue.series_id = series.id and issue.present = 1)
      where id in (${listed})`.execute(transaction);
    await sql`
      update series set (files, size) = (select count(*), coalesce(sum(size), 0) from file where file.series_id = series.id),
        cover_issue_id = (select id from issue where issue.series_id = series.id and issue.present = 1
          order by owned - corrupt desc, sort_key limit 1),
        class = ${classRule}
      where id in (${listed})`.execute(transaction);
  }
}

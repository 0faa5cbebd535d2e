import type { ProviderIssueDetail } from "../catalog/catalog-contract.js";
import type { Changes } from "../changes.js";
import { IssueNotFound } from "../errors.js";
import { keepIssueEdits } from "../issues/issue-editing.js";
import { titleWords } from "../issues/issue-titles.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase, CollectionTransaction } from "../tables.js";

/** Writes a provider's metadata of one issue, which takes precedence over that of files. */
export async function describeIssue(
  { database, search, changes }: { database: CollectionDatabase; search: SearchIndex; changes: Changes },
  detail: ProviderIssueDetail,
): Promise<void> {
  const seriesId = await database.transaction().execute(async (transaction) => {
    const issue = await transaction
      .selectFrom("issue")
      .select(["id", "series_id"])
      .where("cv_issue_id", "=", detail.cvIssueId)
      .executeTakeFirst();
    if (!issue) throw new IssueNotFound(detail.cvIssueId);
    await writeDetail(transaction, issue.id, detail);
    await keepIssueEdits(transaction, [issue.id]);
    const names = [...new Set(detail.credits.map((credit) => credit.name))];
    if (names.length > 0) {
      await transaction
        .insertInto("series_creator")
        .values(names.map((name) => ({ series_id: issue.series_id, name })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await search.refresh(transaction, [issue.series_id]);
    return issue.series_id;
  });
  changes.announceSeries([seriesId]);
}

async function writeDetail(
  transaction: CollectionTransaction,
  issueId: number,
  detail: ProviderIssueDetail,
): Promise<void> {
  const row = {
    description: detail.description ?? null,
    credits: JSON.stringify(detail.credits),
    characters: JSON.stringify(detail.characters),
    teams: JSON.stringify(detail.teams),
    locations: JSON.stringify(detail.locations),
    arcs: JSON.stringify(detail.arcs),
    url: detail.url ?? null,
  };
  await transaction
    .insertInto("issue_detail")
    // The provider knows no genres and topics: those of tags stay.
    .values({ issue_id: issueId, subjects: "[]", ...row })
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
    .execute();
  await transaction
    .updateTable("issue")
    .set((eb) => ({
      described: 1,
      title: eb.fn.coalesce(eb.val(detail.title ?? null), "title"),
      title_words: eb.fn.coalesce(eb.val(titleWords(detail.title)), "title_words"),
      cover_date: eb.fn.coalesce(eb.val(detail.coverDate ?? null), "cover_date"),
      store_date: eb.fn.coalesce(eb.val(detail.storeDate ?? null), "store_date"),
    }))
    .where("id", "=", issueId)
    .execute();
}

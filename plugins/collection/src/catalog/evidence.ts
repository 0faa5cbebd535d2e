import { inBatches } from "@longbox/sdk";
import type { IssueEvidence, SeriesEvidence } from "./catalog-contract.js";
import type { IssueKind } from "../issues/issue-kind.js";
import type { CollectionDatabase, SeriesTable } from "../tables.js";

export type KnownSeries = Pick<SeriesTable, "id" | "cv_id" | "title" | "aliases" | "year" | "publisher" | "type">;
type OwnedIssue = IssueEvidence & { readonly language: string | null };

/** More issues say nothing more. */
const mostIssues = 500;

/** The metadata of series that helps to find their volumes. */
export async function readEvidence(
  database: CollectionDatabase,
  series: readonly KnownSeries[],
): Promise<SeriesEvidence[]> {
  const owned = new Map<number, OwnedIssue[]>();
  const inside = new Map<number, number[]>();
  for (const ids of inBatches(series.map((row) => row.id))) {
    for (const [seriesId, issue] of await ownedIssues(database, ids)) push(owned, seriesId, issue);
    const files = await database
      .selectFrom("file")
      .select(["series_id", "read_cv_issue_id"])
      .where("series_id", "in", ids)
      .where("read_cv_issue_id", "is not", null)
      .execute();
    for (const row of files) push(inside, row.series_id, row.read_cv_issue_id as number);
  }
  return series.map((row) => {
    const issues = owned.get(row.id) ?? [];
    return {
      seriesId: row.id,
      type: row.type,
      cvId: row.cv_id ?? undefined,
      title: row.title,
      aliases: JSON.parse(row.aliases) as string[],
      year: row.year ?? undefined,
      publisher: row.publisher ?? undefined,
      issues: issues.slice(0, mostIssues).map(({ language: _, ...issue }) => issue),
      languages: [...new Set(issues.flatMap(({ language }) => language ?? []))],
      cvIssueIds: inside.get(row.id) ?? [],
    };
  });
}

async function ownedIssues(
  database: CollectionDatabase,
  seriesIds: readonly number[],
): Promise<ReadonlyArray<readonly [number, OwnedIssue]>> {
  const rows = await database
    .selectFrom("issue")
    .select(["id", "series_id", "number", "kind", "title", "cover_date", "language"])
    .where("series_id", "in", seriesIds)
    .where("present", "=", 1)
    .where("owned", "=", 1)
    .orderBy("sort_key")
    .execute();
  return rows.map(({ id, series_id, number, kind, title, cover_date, language }) => {
    const year = cover_date === null ? undefined : Number(cover_date.slice(0, 4));
    return [
      series_id,
      { issueId: id, number, kind: kind as IssueKind, title: title ?? undefined, year, language },
    ] as const;
  });
}

function push<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

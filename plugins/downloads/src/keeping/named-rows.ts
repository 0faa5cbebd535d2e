import type { CollectionContract, Issue, Series } from "@longbox/collection/contract";
import { inBatches, isAmong, publicViewer, systemViewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { DownloadTables, NamedColumns } from "../tables.js";

const tables = ["item", "history", "blocked"] as const;

/** What names an issue in a row that may outlive it. */
export function namesOf(issue: Issue): NamedColumns {
  return {
    issue_id: issue.id,
    series_id: issue.seriesId,
    series_title: issue.seriesTitle,
    number: issue.number,
    cv_issue_id: issue.cvIssueId,
    restricted: issue.restricted ? 1 : 0,
  };
}

/** The same of a pack. */
export function namesOfPack(series: Series): NamedColumns {
  return {
    issue_id: null,
    series_id: series.id,
    series_title: series.title,
    number: "",
    cv_issue_id: null,
    restricted: series.restricted ? 1 : 0,
  };
}

/** The same of a row that has them already. */
export function namedColumns(row: NamedColumns): NamedColumns {
  const { issue_id, series_id, series_title, number, cv_issue_id, restricted } = row;
  return { issue_id, series_id, series_title, number, cv_issue_id, restricted };
}

/**
 * Series were renamed, became restricted, or are so no more: rows that name them say so. Those that are gone stay as
 * they were.
 */
export async function followSeries(
  database: Kysely<DownloadTables>,
  library: Pick<CollectionContract, "findSeries">,
  changed: readonly number[],
): Promise<boolean> {
  let found = false;
  for (const some of inBatches(changed)) {
    const named = new Set<number>();
    for (const table of tables) {
      const rows = await database
        .selectFrom(table)
        .select("series_id")
        .distinct()
        .where(isAmong("series_id", some))
        .execute();
      for (const { series_id } of rows) named.add(series_id);
    }
    for (const id of named) {
      const series = await library.findSeries(id, systemViewer);
      if (!series) continue;
      const restricted = (await library.findSeries(id, publicViewer)) ? 0 : 1;
      for (const table of tables)
        await database
          .updateTable(table)
          .set({ series_title: series.title, restricted })
          .where("series_id", "=", id)
          .execute();
      found = true;
    }
  }
  return found;
}

/** An issue became another. */
export async function followMerge(
  database: Kysely<DownloadTables>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const table of ["history", "blocked"] as const)
    await database.updateTable(table).set({ issue_id: to }).where("issue_id", "=", from).execute();
  const other = await database
    .selectFrom("item")
    .select("id")
    .where("issue_id", "=", to)
    .where("open", "=", 1)
    .executeTakeFirst();
  // Both were asked for: the one under the former id ends by itself when its issue is not found.
  const moved = database.updateTable("item").set({ issue_id: to }).where("issue_id", "=", from);
  await (other ? moved.where("open", "=", 0) : moved).execute();
}

import type { SeriesEvidence } from "./catalog-contract.js";
import { slices, type CollectionDatabase, type SeriesTable } from "../tables.js";

/** The metadata of series that helps to find their volumes. */
export async function readEvidence(
  database: CollectionDatabase,
  series: ReadonlyArray<Pick<SeriesTable, "id" | "cv_id" | "title" | "aliases" | "year" | "publisher" | "type">>,
): Promise<SeriesEvidence[]> {
  const numbers = new Map<number, string[]>();
  const inside = new Map<number, number[]>();
  for (const ids of slices(series.map((row) => row.id))) {
    const issues = await database
      .selectFrom("issue")
      .select(["series_id", "number"])
      .where("series_id", "in", ids)
      .where("present", "=", 1)
      .where("owned", "=", 1)
      .where("kind", "=", "issue")
      .orderBy("sort_key")
      .execute();
    for (const row of issues) push(numbers, row.series_id, row.number);
    const files = await database
      .selectFrom("file")
      .select(["series_id", "read_cv_issue_id"])
      .where("series_id", "in", ids)
      .where("read_cv_issue_id", "is not", null)
      .execute();
    for (const row of files) push(inside, row.series_id, row.read_cv_issue_id as number);
  }
  return series.map((row) => ({
    seriesId: row.id,
    type: row.type,
    cvId: row.cv_id ?? undefined,
    title: row.title,
    aliases: JSON.parse(row.aliases) as string[],
    year: row.year ?? undefined,
    publisher: row.publisher ?? undefined,
    numbers: numbers.get(row.id) ?? [],
    cvIssueIds: inside.get(row.id) ?? [],
  }));
}

function push<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

import { inBatches, isAmong } from "@longbox/sdk";
import { kindOfSeries } from "../issues/issue-number.js";
import type { CollectionDatabase } from "../tables.js";
import type { SeriesEvidence, SeriesRange } from "./catalog-contract.js";
import { readEvidence, type KnownSeries } from "./evidence.js";

/** What files alone say of the annuals of one series. */
interface Annuals {
  readonly issueIds: ReadonlySet<number>;
  /** Provider ids of issues that were found inside their files. */
  readonly cvIssueIds: readonly number[];
}

/** The next series whose annuals are evidence; none once there are no more. */
export async function listAnnuals(
  { database, reader }: { readonly database: CollectionDatabase; readonly reader: CollectionDatabase },
  range: SeriesRange,
): Promise<readonly SeriesEvidence[]> {
  for (let { afterId } = range; ;) {
    const rows = await seriesWithAnnuals(reader, { ...range, afterId });
    const last = rows.at(-1);
    if (!last) return [];
    const evidence = await readAnnuals(database, rows);
    if (evidence.length > 0) return evidence;
    afterId = last.id;
  }
}

async function seriesWithAnnuals(
  reader: CollectionDatabase,
  { afterId, limit, libraryTypes }: SeriesRange,
): Promise<readonly KnownSeries[]> {
  return await reader
    .selectFrom("series")
    .select(["id", "cv_id", "title", "aliases", "year", "publisher", "type"])
    .where("state", "=", "tracked")
    .where(isAmong("type", libraryTypes))
    .where("id", ">", afterId)
    .where("id", "in", (query) =>
      query
        .selectFrom("issue")
        .select("series_id")
        .where("kind", "=", "annual")
        .where("owned", "=", 1)
        .where("listed", "=", 0)
        .where("cv_issue_id", "is", null),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The annuals of each series that has some beside other issues, or under the volume of other issues. */
export async function readAnnuals(
  database: CollectionDatabase,
  series: readonly KnownSeries[],
): Promise<SeriesEvidence[]> {
  const parents = series.filter(({ title }) => kindOfSeries(title) !== "annual");
  const annuals = await annualsOf(
    database,
    parents.map(({ id }) => id),
  );
  const evidence = await readEvidence(database, parents);
  return evidence.flatMap((one) => {
    const own = annuals.get(one.seriesId);
    const issues = one.issues.filter(({ issueId }) => own?.issueIds.has(issueId));
    if (!own || issues.length === 0 || (one.cvId === undefined && issues.length === one.issues.length)) return [];
    return [{ ...one, cvId: undefined, year: undefined, issues, cvIssueIds: own.cvIssueIds }];
  });
}

async function annualsOf(database: CollectionDatabase, seriesIds: readonly number[]): Promise<Map<number, Annuals>> {
  const found = new Map<number, { issueIds: Set<number>; cvIssueIds: number[] }>();
  for (const ids of inBatches(seriesIds)) {
    const rows = await database
      .selectFrom("issue")
      .leftJoin("file", "file.issue_id", "issue.id")
      .select(["issue.id", "issue.series_id", "file.read_cv_issue_id"])
      .where("issue.series_id", "in", ids)
      .where("issue.kind", "=", "annual")
      .where("issue.owned", "=", 1)
      .where("issue.listed", "=", 0)
      .where("issue.cv_issue_id", "is", null)
      .execute();
    for (const { id, series_id, read_cv_issue_id } of rows) {
      const annuals = found.get(series_id) ?? { issueIds: new Set<number>(), cvIssueIds: [] };
      annuals.issueIds.add(id);
      if (read_cv_issue_id !== null) annuals.cvIssueIds.push(read_cv_issue_id);
      found.set(series_id, annuals);
    }
  }
  return found;
}

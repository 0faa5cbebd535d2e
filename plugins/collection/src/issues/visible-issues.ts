import { inBatches, type Viewer } from "@longbox/sdk";
import type { SelectQueryBuilder } from "kysely";
import type { CollectionDatabase, CollectionTables } from "../tables.js";
import type { IssueRecord } from "./issue-shape.js";

/** Where issues are read. */
export interface IssueDatabases {
  readonly database: CollectionDatabase;
  /** On the reading thread: for questions that look at many issues. */
  readonly reader: CollectionDatabase;
  /** Another number after every write. */
  dataVersion(): number;
}

export type IssueQuery = SelectQueryBuilder<CollectionTables, "issue" | "series", IssueRecord>;

const ofSeries = [
  "series.title as series_title",
  "series.publisher as series_publisher",
  "series.type as series_type",
  "series.hidden as series_hidden",
  "series.monitor as series_monitor",
  "series.library_id as series_library_id",
  "series.year as series_year",
] as const;

/** The issues that a viewer may know of. */
export function visibleIssues(database: CollectionDatabase, viewer: Viewer): IssueQuery {
  const joined = database.selectFrom("issue").innerJoin("series", "series.id", "issue.series_id");
  const all = joined.selectAll("issue").select(ofSeries).where("issue.present", "=", 1);
  return viewer.seesRestricted ? all : all.where("series.hidden", "=", 0);
}

/** The same for tracked series, in the order of an index of issues: the join begins with them. */
export function visibleIssuesInOrder(reader: CollectionDatabase, viewer: Viewer): IssueQuery {
  const all = reader
    .selectFrom("issue")
    .crossJoin("series")
    .whereRef("series.id", "=", "issue.series_id")
    .selectAll("issue")
    .select(ofSeries)
    .where("issue.present", "=", 1)
    .where("series.state", "=", "tracked");
  return viewer.seesRestricted ? all : all.where("series.hidden", "=", 0);
}

/** The issues into which merged issues went. */
export async function findMerges(
  database: CollectionDatabase,
  issueIds: readonly number[],
): Promise<Map<number, number>> {
  const merges = new Map<number, number>();
  for (const ids of inBatches(issueIds)) {
    const rows = await database.selectFrom("issue_merge").selectAll().where("from_id", "in", ids).execute();
    for (const row of rows) merges.set(row.from_id, row.to_id);
  }
  return merges;
}

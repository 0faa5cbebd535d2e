import type { Viewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Issue, Page, Series, SeriesQuery } from "./contract.js";
import type { ExternalIds } from "./ids/external-ids.js";
import type { IssueIteration } from "./issues/iterating.js";
import type { Changes } from "./changes.js";
import type { Following } from "./series/following.js";
import type { Departing } from "./series/departing.js";
import { toHolding, type IssueReading } from "./issues/issue-reading.js";
import type { IssueRecord } from "./issues/issue-shape.js";
import type { Libraries } from "./libraries/libraries.js";
import type { Placing } from "./placing/placing.js";
import type { SeriesReading } from "./series/series-reading.js";
import { toSeries } from "./series/series-shape.js";
import type { CollectionDatabase } from "./tables.js";

export interface CollectionParts {
  /** For questions that look at every series. */
  readonly reader: CollectionDatabase;
  readonly libraries: Libraries;
  readonly series: SeriesReading;
  readonly issues: IssueReading;
  readonly placing: Placing;
  readonly departing: Departing;
  readonly iteration: IssueIteration;
  readonly ids: ExternalIds;
  readonly following: Following;
  readonly changes: Changes;
}

/** The collection as other plugins see it. */
export function collectionContract(parts: CollectionParts): CollectionContract {
  const { reader, libraries, series, issues, placing, departing, iteration, ids, following, changes } = parts;
  const toIssue = (row: IssueRecord): Issue => issues.shapes.toIssue(row);
  const one = (row: IssueRecord | undefined): Issue | undefined => row && toIssue(row);
  return {
    listLibraries: (viewer) => libraries.list(viewer),
    listLibraryTypes: async () => libraries.types.list(),
    onLibrariesChanged: (listener) => changes.libraries.subscribe(listener),

    async findSeries(seriesId, viewer): Promise<Series | undefined> {
      const row = await series.find(seriesId, viewer);
      return row && toSeries(row);
    },
    async listSeries(query: SeriesQuery, viewer: Viewer): Promise<Page<Series>> {
      const { sort = "title", limit, offset, ...selection } = query;
      const rows = await series.list(selection, { sort, limit, offset }, viewer);
      return { items: rows.map(toSeries), total: await series.count(selection, viewer) };
    },
    findSeriesByTitles: async (titles, viewer) =>
      (await series.findByTitles(titles, viewer)).map((rows) => rows.map(toSeries)),
    async listPublishers(viewer) {
      let query = reader.selectFrom("series").where("state", "=", "tracked").where("publisher", "is not", null);
      if (!viewer.seesRestricted) query = query.where("hidden", "=", 0);
      const rows = await query
        .select(["publisher", (eb) => eb.fn.countAll<number>().as("series")])
        .groupBy("publisher")
        .orderBy("publisher")
        .execute();
      return rows.map((row) => ({ publisher: row.publisher as string, series: row.series }));
    },
    onSeriesChanged: (listener) => changes.series.subscribe(listener),

    findIssue: async (cvIssueId, viewer) => one(await issues.find(cvIssueId, viewer)),
    findIssuesByClientIds: async (cvIssueIds, viewer) =>
      (await issues.findByClientIds(cvIssueIds, viewer)).map(({ cvIssueId, row }) => ({
        cvIssueId,
        issue: toIssue(row),
      })),
    findIssues: async (issueIds, viewer) => (await issues.findAll(issueIds, viewer)).map(toIssue),
    findIssueDetails: (issueIds) => issues.findDetails(issueIds),
    listIssues: (seriesId, viewer) => issues.issuesOfSeries(seriesId, viewer),
    async neighbours(issueId, viewer) {
      const { previous, next } = await issues.neighbours(issueId, viewer);
      return { previous: one(previous), next: one(next) };
    },
    async listRecentlyAdded(range, viewer): Promise<Page<Issue>> {
      const { rows, total } = await issues.listRecentlyAdded(range, viewer);
      return { items: rows.map(toIssue), total };
    },
    searchIssues: async (text, limit, viewer) => (await issues.search(text, limit, viewer)).map(toIssue),
    listHoldings: async (issueId): Promise<readonly Holding[]> => (await issues.filesOf(issueId)).map(toHolding),
    findHoldings: async (issueIds) =>
      (await issues.filesOfIssues(issueIds)).map(({ issueId, file }) => ({ issueId, ...toHolding(file) })),
    async findIssuesByIds(scheme, values, viewer) {
      if (scheme === "cv") {
        const found = await issues.findByClientIds(
          values.filter((value) => /^\d{1,9}$/.test(value)).map(Number),
          viewer,
        );
        return found.map(({ cvIssueId, row }) => ({ value: String(cvIssueId), issue: toIssue(row) }));
      }
      const found = await ids.find("issue", scheme, values);
      const rows = await issues.findAll(
        found.map(({ subjectId }) => subjectId),
        viewer,
      );
      const byId = new Map(rows.map((row) => [row.id, toIssue(row)]));
      return found.flatMap(({ value, subjectId }) => {
        const issue = byId.get(subjectId);
        return issue ? [{ value, issue }] : [];
      });
    },
    findIds: (issueIds) => ids.list("issue", issueIds),
    listIssuesAfter: (range, viewer) => iteration.listAfter(range, viewer),
    listWanted: (range, viewer) => iteration.listWanted(range, viewer),
    findFollowers: (seriesIds) => following.findFollowers(seriesIds),
    onIssuesOwned: (listener) => changes.owned.subscribe(listener),
    onIssuesMerged: (listener) => changes.merges.subscribe(listener),

    placeFiles: (files) => placing.placeFiles(files),
    moveFiles: (moves) => departing.moveFiles(moves),
    pinFolder: (seriesId, folder) => departing.pinFolder(seriesId, folder),
    removeFiles: (paths) => departing.removeFiles(paths),
  };
}

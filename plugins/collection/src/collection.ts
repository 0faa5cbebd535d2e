import { inBatches, isAmong, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue, Page, Series, SeriesQuery } from "./contract.js";
import type { ExternalIds } from "./ids/external-ids.js";
import type { IssueIteration } from "./issues/iterating.js";
import type { Changes } from "./changes.js";
import type { Facets } from "./series/facets.js";
import type { Following } from "./series/following.js";
import type { HidingPages } from "./placing/hiding-pages.js";
import type { Departing } from "./series/departing.js";
import { toHolding } from "./issues/issue-files.js";
import type { IssueReading } from "./issues/issue-reading.js";
import type { IssueRecord } from "./issues/issue-shape.js";
import { shownFolder } from "./libraries/folders.js";
import type { Libraries } from "./libraries/libraries.js";
import type { Placing } from "./placing/placing.js";
import type { SeriesReading } from "./series/series-reading.js";
import { toSeries } from "./series/series-shape.js";
import type { CollectionDatabase } from "./tables.js";

export interface ContractParts {
  /** For questions that look at every series. */
  readonly reader: CollectionDatabase;
  readonly libraries: Libraries;
  readonly series: SeriesReading;
  readonly issues: IssueReading;
  readonly placing: Placing;
  readonly departing: Departing;
  readonly hidingPages: HidingPages;
  readonly iteration: IssueIteration;
  readonly ids: ExternalIds;
  readonly following: Following;
  readonly changes: Changes;
  readonly facets: Facets;
}

/** The collection as other plugins see it. */
export function collectionContract(parts: ContractParts): CollectionContract {
  return { ...ofLibraries(parts), ...ofSeries(parts), ...ofIssues(parts), ...byIds(parts), ...ofFiles(parts) };
}

type Part<Names extends keyof CollectionContract> = Pick<CollectionContract, Names>;

function ofLibraries({
  libraries,
  changes,
}: ContractParts): Part<"listLibraries" | "listLibraryTypes" | "onLibrariesChanged" | "findShownFolder"> {
  return {
    findShownFolder: (path) => shownFolder(path, libraries.places),
    listLibraries: (viewer) => libraries.list(viewer),
    listLibraryTypes: async () => libraries.types.list(),
    onLibrariesChanged: (listener) => changes.libraries.subscribe(listener),
  };
}

type SeriesDoor =
  | "findSeries"
  | "listSeries"
  | "findSeriesByTitles"
  | "listPublishers"
  | "listSeriesFacets"
  | "findSeriesByFacet"
  | "findFollowers"
  | "countOwned"
  | "onSeriesChanged";

function ofSeries({ reader, series, following, changes, facets }: ContractParts): Part<SeriesDoor> {
  return {
    async findSeries(seriesId, viewer): Promise<Series | undefined> {
      const row = await series.find(seriesId, viewer);
      return row && toSeries(row);
    },
    async listSeries(query: SeriesQuery, viewer: Viewer): Promise<Page<Series>> {
      const { sort = "title", limit, offset, ...selection } = query;
      const rows = await series.listShared(selection, { sort, limit, offset }, viewer);
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
        .orderBy("publisher", (order) => order.asc().nullsLast())
        .execute();
      return rows.map((row) => ({ publisher: row.publisher as string, series: row.series }));
    },
    listSeriesFacets: (viewer) => facets.list(viewer),
    findSeriesByFacet: (name, value, viewer) => facets.findSeries(name, value, viewer),
    async countOwned(seriesIds, viewer) {
      const found = new Map<number, number>();
      for (const ids of inBatches(seriesIds, 1000)) {
        let query = reader.selectFrom("series").where("state", "=", "tracked").where(isAmong("series.id", ids));
        if (!viewer.seesRestricted) query = query.where("hidden", "=", 0);
        for (const { id, owned } of await query.select(["id", "owned"]).execute()) found.set(id, owned);
      }
      return found;
    },
    findFollowers: (seriesIds) => following.findFollowers(seriesIds),
    onSeriesChanged: (listener) => changes.series.subscribe(listener),
  };
}

type IssueDoor =
  | "findIssueDetails"
  | "listIssues"
  | "neighbours"
  | "listRecentlyAdded"
  | "searchIssues"
  | "listIssuesAfter"
  | "listWanted"
  | "onIssuesOwned"
  | "onIssuesIdentified"
  | "onIssuesMerged";

function ofIssues({ issues, iteration, changes }: ContractParts): Part<IssueDoor> {
  const toIssue = (row: IssueRecord): Issue => issues.shapes.toIssue(row);
  return {
    findIssueDetails: (issueIds) => issues.details.find(issueIds),
    listIssues: (seriesId, viewer) => issues.lists.issuesOfSeries(seriesId, viewer),
    async neighbours(issueId, viewer) {
      const { previous, next } = await issues.lists.neighbours(issueId, viewer);
      return { previous: previous && toIssue(previous), next: next && toIssue(next) };
    },
    listRecentlyAdded: (range, viewer) => issues.lists.listRecentlyAdded(range, viewer),
    searchIssues: async (text, limit, viewer) => (await issues.lists.search(text, limit, viewer)).map(toIssue),
    listIssuesAfter: (range, viewer) => iteration.listAfter(range, viewer),
    listWanted: (range, viewer) => iteration.listWanted(range, viewer),
    onIssuesOwned: (listener) => changes.owned.subscribe(listener),
    onIssuesIdentified: (listener) => changes.identified.subscribe(listener),
    onIssuesMerged: (listener) => changes.merges.subscribe(listener),
  };
}

function byIds({
  issues,
  ids,
}: ContractParts): Part<"findIssue" | "findIssues" | "findIssuesByClientIds" | "findIssuesByIds" | "findIds"> {
  const toIssue = (row: IssueRecord): Issue => issues.shapes.toIssue(row);
  return {
    async findIssue(cvIssueId, viewer) {
      const row = await issues.finding.find(cvIssueId, viewer);
      return row && toIssue(row);
    },
    async findIssues(issueIds, viewer) {
      const [only] = issueIds;
      if (only === undefined || issueIds.length > 1)
        return (await issues.finding.findAll(issueIds, viewer)).map(toIssue);
      const row = await issues.finding.findOne(only, viewer);
      return row ? [toIssue(row)] : [];
    },
    findIssuesByClientIds: async (cvIssueIds, viewer) =>
      (await issues.finding.findByClientIds(cvIssueIds, viewer)).map(({ cvIssueId, row }) => ({
        cvIssueId,
        issue: toIssue(row),
      })),
    findIssuesByIds: async (scheme, values, viewer) =>
      (await issues.finding.findByScheme(scheme, values, viewer)).map(({ value, row }) => ({
        value,
        issue: toIssue(row),
      })),
    findIds: (issueIds) => ids.list("issue", issueIds),
  };
}

function ofFiles({
  issues,
  placing,
  departing,
  hidingPages,
}: ContractParts): Part<
  | "listHoldings"
  | "findHoldings"
  | "listWithCopies"
  | "placeFiles"
  | "moveFiles"
  | "pinFolder"
  | "hidePages"
  | "removeFiles"
> {
  return {
    listHoldings: async (issueId) => (await issues.files.listOf(issueId)).map(toHolding),
    findHoldings: (issueIds) => issues.files.findHoldings(issueIds),
    listWithCopies: (range) => issues.files.listWithCopies(range),
    placeFiles: (files) => placing.placeFiles(files),
    moveFiles: (moves) => departing.moveFiles(moves),
    pinFolder: (seriesId, folder) => departing.pinFolder(seriesId, folder),
    hidePages: (files) => hidingPages.hide(files),
    removeFiles: (paths) => departing.removeFiles(paths),
  };
}

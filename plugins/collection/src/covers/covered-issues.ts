import { inBatches, type Viewer } from "@longbox/sdk";
import { Remembered } from "../answers/remembered.js";
import { coveredIssue } from "../issues/issue-shape.js";
import { visibleIssues, type IssueDatabases } from "../issues/visible-issues.js";
import type { CoveredIssue } from "./covers.js";

/** Pages of lists that are being looked through. */
const mostPagesRemembered = 40;
/** Longer lists are read each time, so that little is kept. */
const longestPage = 100;

const columns = ["issue.id", "issue.cv_issue_id", "issue.cover_page"] as const;

/** Issues with covers, by the ids of what shows them. */
type Found = ReadonlyMap<number, CoveredIssue>;

/** Finds for whole lists which issues show their covers, among those that the viewer may see. */
export class CoveredIssues {
  readonly #ofIssues: Remembered<Found>;
  readonly #ofSeries: Remembered<Found>;

  constructor(private readonly databases: IssueDatabases) {
    this.#ofIssues = new Remembered(() => databases.dataVersion(), mostPagesRemembered);
    this.#ofSeries = new Remembered(() => databases.dataVersion(), mostPagesRemembered);
  }

  /** By the ids of issues, without those that became others. */
  find(issueIds: readonly number[], viewer: Viewer): Promise<Found> {
    const read = () => this.#read(issueIds, viewer);
    return issueIds.length > longestPage ? read() : this.#ofIssues.get(keyOf(issueIds, viewer), read);
  }

  /** By the ids of series. */
  findOfSeries(seriesIds: readonly number[], viewer: Viewer): Promise<Found> {
    const read = () => this.#readOfSeries(seriesIds, viewer);
    return seriesIds.length > longestPage ? read() : this.#ofSeries.get(keyOf(seriesIds, viewer), read);
  }

  async #read(issueIds: readonly number[], viewer: Viewer): Promise<Found> {
    const found = new Map<number, CoveredIssue>();
    for (const ids of inBatches([...new Set(issueIds)])) {
      const visible = visibleIssues(this.databases.database, viewer).where("issue.id", "in", ids);
      for (const row of await visible.clearSelect().select(columns).execute()) found.set(row.id, coveredIssue(row));
    }
    return found;
  }

  async #readOfSeries(seriesIds: readonly number[], viewer: Viewer): Promise<Found> {
    const found = new Map<number, CoveredIssue>();
    for (const ids of inBatches([...new Set(seriesIds)])) {
      const covering = visibleIssues(this.databases.database, viewer)
        .clearSelect()
        .innerJoin("series as shown", "shown.cover_issue_id", "issue.id")
        .where("shown.id", "in", ids)
        .where("shown.state", "<>", "vanished");
      const allowed = viewer.seesRestricted ? covering : covering.where("shown.hidden", "=", 0);
      for (const row of await allowed.select([...columns, "shown.id as series_id"]).execute())
        found.set(row.series_id, coveredIssue(row));
    }
    return found;
  }
}

const keyOf = (ids: readonly number[], viewer: Viewer) => `${viewer.seesRestricted} ${ids.join()}`;

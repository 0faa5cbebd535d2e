import type { Viewer } from "@longbox/sdk";
import type { IssueReading } from "../issues/issue-reading.js";
import type { LibraryTypeList } from "../libraries/library-types.js";
import type { SeriesReading } from "../series/series-reading.js";
import { toSeries } from "../series/series-shape.js";
import type { SearchHit, SearchQuestion } from "./search-contract.js";
import { issueHit, seriesHit } from "./hits.js";
import { scoreTitle } from "./title-score.js";

export interface OwnSearchParts {
  readonly series: SeriesReading;
  readonly issues: IssueReading;
  readonly types: LibraryTypeList;
}

/** What is found by another title, or by who made it, comes behind what is found by its title. */
const otherwiseFound = 10;
const withNumber = 30;
/** How many series are looked at for a number that stands alone. */
const latestSeries = 500;

/** Finds series and issues in the database: without forgiving typing errors, and slower than an index in memory. */
export class OwnSearch {
  constructor(private readonly parts: OwnSearchParts) {}

  /** Series by title, other titles, publisher and creators. */
  async series({ words, limit }: SearchQuestion, viewer: Viewer): Promise<SearchHit[]> {
    if (words.length === 0) return [];
    const rows = await this.parts.series.listShared({ search: words.join(" ") }, { sort: "best", limit }, viewer);
    return rows.map((row, at) => seriesHit(toSeries(row), scoreTitle(words, row.title) ?? otherwiseFound - at / limit));
  }

  /** Issues with a number and nothing else: of the series that came last, since nearly every series has the number. */
  async numbered({ number, limit }: SearchQuestion, viewer: Viewer): Promise<SearchHit[]> {
    if (number === undefined) return [];
    const series = await this.parts.series.listShared({}, { sort: "added", limit: latestSeries }, viewer);
    const ids = series.map(({ id }) => id);
    const rows = await this.parts.issues.lists.findNumbered(ids, { number, limit }, viewer);
    const types = this.parts.types.list();
    return rows.map((row) => issueHit(this.parts.issues.shapes.toIssue(row), -ids.indexOf(row.series_id), types));
  }

  /** Issues by title, and those with the number of the series that were found. */
  async issues(question: SearchQuestion, found: readonly SearchHit[], viewer: Viewer): Promise<SearchHit[]> {
    const { words, number, limit } = question;
    const { lists, shapes } = this.parts.issues;
    const types = this.parts.types.list();
    const titled = number === undefined ? await lists.search(words.join(" "), limit, viewer) : [];
    const scores = new Map(found.map(({ href, score }) => [Number(href.slice("/series/".length)), score]));
    const numbered =
      number === undefined ? [] : await lists.findNumbered([...scores.keys()], { number, limit }, viewer);
    return [
      ...titled.map((row) => issueHit(shapes.toIssue(row), scoreTitle(words, row.title ?? "") ?? 0, types)),
      ...numbered.map((row) => issueHit(shapes.toIssue(row), (scores.get(row.series_id) ?? 0) + withNumber, types)),
    ];
  }
}

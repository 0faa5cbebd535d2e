import { isAmong, type Viewer } from "@longbox/sdk";
import { Remembered } from "../answers/remembered.js";
import type { Issue, Page } from "../contract.js";
import { readSearch } from "../searching/search-index.js";
import { parseIssueNumber } from "./issue-number.js";
import type { IssueFinding } from "./finding-issues.js";
import type { IssueRecord, IssueShapes } from "./issue-shape.js";
import { hasTitleWords } from "./issue-titles.js";
import { visibleIssues, visibleIssuesInOrder, type IssueDatabases } from "./visible-issues.js";

/** How many series are kept whose issues are being browsed. */
const mostSeriesRemembered = 20;
/** How many pages of the newest issues are kept. */
const mostPagesRemembered = 40;
/** The longest part of all issues, or of those that are wanted. */
const longestPart = 1000;

/** See `listIssuesAfter` of the contract. */
export interface IssuesAfter {
  readonly afterId: number;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly seriesIds?: readonly number[] | undefined;
}

interface WantedRange {
  readonly afterId: number;
  readonly limit: number;
  readonly followed?: boolean | undefined;
  readonly among?: readonly number[] | undefined;
}

interface Neighbours {
  readonly previous: IssueRecord | undefined;
  readonly next: IssueRecord | undefined;
}

/** Lists of issues: of a series, of all series by id, the newest, and those with words in their titles. */
export class IssueLists {
  readonly #databases: IssueDatabases;
  readonly #finding: IssueFinding;
  readonly #shapes: IssueShapes;
  readonly #series: Remembered<readonly Issue[]>;
  readonly #recent: Remembered<Page<Issue>>;

  constructor(databases: IssueDatabases, finding: IssueFinding, shapes: IssueShapes) {
    this.#databases = databases;
    this.#finding = finding;
    this.#shapes = shapes;
    this.#series = new Remembered(() => databases.dataVersion(), mostSeriesRemembered);
    this.#recent = new Remembered(() => databases.dataVersion(), mostPagesRemembered);
  }

  /** The issues of a series as other plugins see them: catalogs ask for all of them with each of their pages. */
  issuesOfSeries(seriesId: number, viewer: Viewer): Promise<readonly Issue[]> {
    return this.#series.get(`${this.#shapes.version} ${seriesId} ${viewer.seesRestricted}`, async () =>
      (await this.listOfSeries(seriesId, viewer)).map((row) => this.#shapes.toIssue(row)),
    );
  }

  async listOfSeries(seriesId: number, viewer: Viewer): Promise<IssueRecord[]> {
    return await visibleIssues(this.#databases.database, viewer)
      .where("issue.series_id", "=", seriesId)
      .orderBy("issue.sort_key")
      .orderBy("issue.id")
      .execute();
  }

  /** Every issue of tracked series behind an id. On the reading thread. */
  async listAfter({ afterId, limit, type, seriesIds }: IssuesAfter, viewer: Viewer): Promise<IssueRecord[]> {
    let known = visibleIssuesInOrder(this.#databases.reader, viewer).where("issue.id", ">", afterId);
    if (type !== undefined) known = known.where("series.type", "=", type);
    if (seriesIds !== undefined) known = known.where(isAmong("issue.series_id", seriesIds));
    return await known.orderBy("issue.id").limit(Math.min(limit, longestPart)).execute();
  }

  /** What is wanted and not owned behind an id. On the reading thread. */
  async listWantedAfter({ afterId, limit, followed, among }: WantedRange, viewer: Viewer): Promise<IssueRecord[]> {
    let wanted = visibleIssuesInOrder(this.#databases.reader, viewer)
      .where("issue.id", ">", afterId)
      .where((eb) => eb("issue.wanted", "=", eb.lit(1)));
    if (among) wanted = wanted.where(isAmong("issue.id", among));
    if (followed)
      wanted = wanted.where((eb) =>
        eb.exists(
          eb
            .selectFrom("follow")
            .select("follow.series_id")
            .whereRef("follow.series_id", "=", "issue.series_id")
            .where("follow.user_id", "=", viewer.user.id),
        ),
      );
    return await wanted.orderBy("issue.id").limit(Math.min(limit, longestPart)).execute();
  }

  /** The owned issues before and behind one in its series. */
  async neighbours(issueId: number, viewer: Viewer): Promise<Neighbours> {
    const [here] = await this.#finding.findAll([issueId], viewer);
    if (!here) return { previous: undefined, next: undefined };
    return { previous: await this.#beside(here, "desc", viewer), next: await this.#beside(here, "asc", viewer) };
  }

  async #beside(here: IssueRecord, order: "asc" | "desc", viewer: Viewer): Promise<IssueRecord | undefined> {
    const isBeyond = order === "asc" ? ">" : "<";
    return await visibleIssues(this.#databases.database, viewer)
      .where("issue.series_id", "=", here.series_id)
      .where("issue.owned", "=", 1)
      .where((eb) =>
        eb.or([
          eb("sort_key", isBeyond, here.sort_key),
          eb.and([eb("sort_key", "=", here.sort_key), eb("issue.id", isBeyond, here.id)]),
        ]),
      )
      .orderBy("sort_key", order)
      .orderBy("issue.id", order)
      .limit(1)
      .executeTakeFirst();
  }

  listRecentlyAdded(range: { limit: number; offset: number }, viewer: Viewer): Promise<Page<Issue>> {
    const key = `${this.#shapes.version} ${range.limit} ${range.offset} ${viewer.seesRestricted}`;
    return this.#recent.get(key, () => this.#readRecentlyAdded(range, viewer));
  }

  async #readRecentlyAdded(range: { limit: number; offset: number }, viewer: Viewer): Promise<Page<Issue>> {
    const rows = await visibleIssuesInOrder(this.#databases.reader, viewer)
      .where("issue.owned", "=", 1)
      .orderBy("issue.owned_at", (order) => order.desc().nullsLast())
      .orderBy("issue.id", "desc")
      .limit(range.limit)
      .offset(range.offset)
      .execute();
    let sum = this.#databases.reader.selectFrom("series").where("state", "=", "tracked");
    if (!viewer.seesRestricted) sum = sum.where("hidden", "=", 0);
    const { total } = await sum.select((eb) => eb.fn.sum<number | null>("owned").as("total")).executeTakeFirstOrThrow();
    return { items: rows.map((row) => this.#shapes.toIssue(row)), total: total ?? 0 };
  }

  /** The issues of these series that have a number. */
  async findNumbered(
    seriesIds: readonly number[],
    { number, limit }: { readonly number: string; readonly limit: number },
    viewer: Viewer,
  ): Promise<IssueRecord[]> {
    const { sortKey } = parseIssueNumber(number);
    return await visibleIssues(this.#databases.database, viewer)
      .where(isAmong("issue.series_id", seriesIds))
      .where("issue.sort_key", "=", sortKey)
      .orderBy("issue.id")
      .limit(limit)
      .execute();
  }

  /** By words of their own titles, or beginnings of words. It looks at every owned issue, so on the reading thread. */
  async search(text: string, limit: number, viewer: Viewer): Promise<IssueRecord[]> {
    const { words } = readSearch(text);
    if (words === "") return [];
    let found = visibleIssuesInOrder(this.#databases.reader, viewer).where("issue.owned", "=", 1);
    for (const word of words.split(" ")) found = found.where(hasTitleWords(word));
    return await found
      .orderBy("series.title_order")
      .orderBy("series.id")
      .orderBy("issue.sort_key")
      .orderBy("issue.id")
      .limit(limit)
      .execute();
  }
}

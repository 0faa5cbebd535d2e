import { sql, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Contributions, Viewer } from "@longbox/sdk";
import type { IssueGetter } from "../contract.js";
import type { LibraryTypeList } from "../libraries/library-types.js";
import { labelOf } from "./issue-labels.js";
import { hasTitleWords } from "./issue-titles.js";
import { issueCover, publicIssueId, shownLabel, whyWanted } from "./issue-shape.js";
import { parseIssueNumber } from "./issue-number.js";
import { readSearch, type SearchIndex } from "../searching/search-index.js";
import type { WantedRow } from "../answers/shapes.js";
import type { CollectionDatabase, CollectionTables } from "../tables.js";

export interface WantedQuery {
  /** `gaps`: every missing issue, wanted or not. */
  readonly scope: "wanted" | "gaps";
  readonly sort: "series" | "newest" | "oldest" | "most" | "fewest";
  readonly followed?: boolean | undefined;
  readonly hideUnreleased?: boolean | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Issues that are known and not owned. */
export class Wanted {
  readonly #reader: CollectionDatabase;
  readonly #index: SearchIndex;
  readonly #getters: Contributions<IssueGetter>;
  readonly #types: LibraryTypeList;

  constructor(parts: {
    readonly reader: CollectionDatabase;
    readonly index: SearchIndex;
    readonly getters: Contributions<IssueGetter>;
    readonly types: LibraryTypeList;
  }) {
    this.#reader = parts.reader;
    this.#index = parts.index;
    this.#getters = parts.getters;
    this.#types = parts.types;
  }

  async list(query: WantedQuery, viewer: Viewer): Promise<{ rows: WantedRow[]; total: number }> {
    const rows = await this.#read(query, viewer);
    const states = await this.#states(rows.map((row) => row.id));
    return {
      total: this.#totalSeen(query, rows.length) ?? (await this.#count(query, viewer)),
      rows: rows.map((row) => ({
        seriesId: row.series_id,
        series: row.series_title,
        cvIssueId: publicIssueId(row),
        id: row.id,
        number: row.number,
        title: row.title,
        label: shownLabel(
          labelOf(
            { seriesTitle: row.series_title, number: row.number, title: row.title ?? undefined },
            this.#types.wordsOf(row.series_type),
          ),
        ),
        coverDate: row.cover_date,
        storeDate: row.store_date,
        followed: row.followed === 1,
        wanted: row.wanted === 1,
        why: whyWanted(row),
        pick: row.pick === 1,
        reason: row.pick_reason,
        queueStatus: states.get(row.id) ?? null,
        cover: issueCover(row),
      })),
    };
  }

  async #read(query: WantedQuery, viewer: Viewer) {
    const shown = this.#issues(query, viewer)
      .selectAll("issue")
      .select(["series.title as series_title", "series.type as series_type", followed(viewer).as("followed")]);
    const missing = query.scope === "gaps" ? sql`series.missing` : sql`series.wanted`;
    const sorted = {
      series: () => shown,
      newest: () => shown.orderBy(releasedOrFirst, "desc"),
      oldest: () => shown.orderBy(releasedOrLast),
      most: () => shown.orderBy(sql`${missing} desc`),
      fewest: () => shown.orderBy(sql`${missing} asc`),
    }[query.sort]();
    return await (isByDate(query) ? sorted.where(isWithinDates(query)) : sorted)
      .orderBy("series.title_order")
      .orderBy("series.id")
      .orderBy("issue.sort_key")
      .orderBy("issue.id")
      .limit(query.limit)
      .offset(query.offset)
      .execute();
  }

  /** The last page tells how many there are. */
  #totalSeen({ limit, offset }: WantedQuery, found: number): number | undefined {
    return found < limit && (found > 0 || offset === 0) ? offset + found : undefined;
  }

  /** The counters of the series hold the number already, unless issues are searched for. */
  async #count(query: WantedQuery, viewer: Viewer): Promise<number> {
    const searched = (query.q ?? "").trim() !== "";
    if (searched) return await this.#countIssues(this.#issues(query, viewer));
    // As a list by the counter, whose index holds nothing else.
    const byCounter = { ...query, sort: "most" } as const;
    const sum = this.#series(this.#reader.selectFrom("series"), byCounter, viewer).select((eb) =>
      eb.fn.sum<number | null>(query.scope === "gaps" ? "missing" : "wanted").as("total"),
    );
    const total = (await sum.executeTakeFirstOrThrow()).total ?? 0;
    if (!query.hideUnreleased || total === 0) return total;
    const all = { ...query, sort: "newest", hideUnreleased: false } as const;
    return total - (await this.#countIssues(this.#issues(all, viewer).where(releasedOrFirst, ">", today())));
  }

  async #countIssues(issues: SelectQueryBuilder<CollectionTables, "series" | "issue", unknown>): Promise<number> {
    const { total } = await issues.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    return total;
  }

  /**
   * The join's order is fixed: by date it starts at the issues, else at the series, and so an index gives the order.
   * Few series are followed, so their issues are sorted.
   */
  #issues(query: WantedQuery, viewer: Viewer) {
    const joined = isByDate(query)
      ? this.#reader.selectFrom("issue").crossJoin("series")
      : this.#reader.selectFrom("series").crossJoin("issue");
    let chosen = this.#series(joined, query, viewer)
      .whereRef("issue.series_id", "=", "series.id")
      // The conditions of the indexes by date.
      .where((eb) => eb.and([eb("issue.present", "=", eb.lit(1)), eb("issue.owned", "=", eb.lit(0))]));
    if (query.scope === "wanted") chosen = chosen.where((eb) => eb("issue.wanted", ">", eb.lit(0)));
    if (query.hideUnreleased) chosen = chosen.where(isReleased(query.sort));
    const { words, numbers } = readSearch(query.q ?? "");
    if (words !== "")
      chosen = chosen.where((eb) => eb.or([this.#index.matches("series.id", words), hasTitleWords(words)]));
    for (const number of numbers) chosen = chosen.where("issue.sort_key", "=", parseIssueNumber(number).sortKey);
    return chosen;
  }

  #series<T extends "series" | "issue", O>(
    from: SelectQueryBuilder<CollectionTables, T, O>,
    query: WantedQuery,
    viewer: Viewer,
  ): SelectQueryBuilder<CollectionTables, "series" | "issue", O> {
    const counter = query.scope === "gaps" ? "series.missing" : "series.wanted";
    const byCounter = query.sort === "most" || query.sort === "fewest";
    let chosen = (from as SelectQueryBuilder<CollectionTables, "series" | "issue", O>)
      .where("series.state", "=", "tracked")
      // The condition of the indexes by counter, which no other order is to use.
      .where((eb) => (byCounter ? eb(counter, ">", eb.lit(0)) : eb(counter, ">=", 1)));
    if (!viewer.seesRestricted) chosen = chosen.where("series.hidden", "=", 0);
    if (!query.followed) return chosen;
    return chosen.where((eb) =>
      eb(
        "series.id",
        "in",
        eb.selectFrom("follow").select("follow.series_id").where("follow.user_id", "=", viewer.user.id),
      ),
    );
  }

  async #states(issueIds: readonly number[]): Promise<Map<number, string>> {
    const found = await Promise.all(this.#getters.all().map((getter) => getter.findStates(issueIds)));
    return new Map(found.flat().map(({ issueId, status }) => [issueId, status]));
  }
}

const today = () => new Date().toISOString().slice(0, 10);
/** As the indexes by date spell it: those without a date sort before all dates, or behind them. */
const releasedOrFirst = sql<string>`coalesce(issue.store_date, issue.cover_date, '')`;
const releasedOrLast = sql<string>`coalesce(issue.store_date, issue.cover_date, '~')`;
/** Whether the order is that of an index of issues. */
const isByDate = ({ sort, followed }: WantedQuery) => (sort === "newest" || sort === "oldest") && !followed;
/** Spelled for the index that gives the order, if it is one by date. */
const isReleased = (sort: WantedQuery["sort"]) =>
  sort === "newest"
    ? sql<SqlBool>`${releasedOrFirst} <= ${today()}`
    : sql<SqlBool>`(${releasedOrLast} <= ${today()} or ${releasedOrLast} = '~')`;
/**
 * True of every issue that the list shows. SQLite holds that sorting all of them by five columns costs less than
 * reading an index that has them by the first one, unless the index is also searched between two bounds.
 */
function isWithinDates({ sort, hideUnreleased }: WantedQuery) {
  const released = sort === "newest" ? releasedOrFirst : releasedOrLast;
  return sql<SqlBool>`${released} between '' and ${sort === "newest" && hideUnreleased ? today() : "~"}`;
}
const followed = (viewer: Viewer) =>
  sql<number>`exists (select 1 from follow where follow.series_id = series.id and follow.user_id = ${viewer.user.id})`;

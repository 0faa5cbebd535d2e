import { sql, type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import { foldTitle, isAmong, type Viewer } from "@longbox/sdk";
import { badField } from "../errors.js";
import { parseIssueNumber } from "../issues/issue-number.js";
import { readSearch, type SearchIndex } from "../searching/search-index.js";
import type { CollectionTables } from "../tables.js";

/** Which series a list or a count is about. */
export interface SeriesSelection {
  readonly filter?: string | undefined;
  readonly search?: string | undefined;
  readonly library?: number | undefined;
  /** The library that series without one fall back to is asked for. */
  readonly withUnassigned?: boolean | undefined;
  readonly publisher?: string | undefined;
  /** Only series that hold collected editions. */
  readonly collections?: boolean | undefined;
  /** Series that facets of other plugins chose. */
  readonly among?: readonly number[] | undefined;
  /** Series that facets left out; the others are chosen if something of them is owned. */
  readonly except?: readonly number[] | undefined;
  /** Also series that are not tracked. */
  readonly catalog?: boolean | undefined;
}

type Builder = ExpressionBuilder<CollectionTables, "series">;
type Query<O> = SelectQueryBuilder<CollectionTables, "series", O>;

const filters: Readonly<Record<string, (eb: Builder, userId: number) => Expression<SqlBool> | undefined>> = {
  all: () => undefined,
  incomplete: (eb) => eb.or([eb("missing", ">", 0), eb("gaps", ">", 0)]),
  // The sum, not each of both: the index of the sum has them in the order of their titles.
  complete: (eb) => eb.and([eb(eb("missing", "+", eb.ref("gaps")), "=", 0), eb("total", ">", 0)]),
  followed: (eb, userId) =>
    eb("series.id", "in", eb.selectFrom("follow").select("follow.series_id").where("follow.user_id", "=", userId)),
  monitored: (eb) => eb("monitor", "<>", "none"),
  unmonitored: (eb) => eb("monitor", "=", "none"),
  ongoing: (eb) => eb("status", "=", "ongoing"),
  ended: (eb) => eb("status", "=", "ended"),
  problems: (eb) => eb.or([eb("corrupt", ">", 0), eb("unlinked", ">", 0)]),
  unmatched: (eb) => eb("cv_id", "is", null),
};

/** @throws {BadInput} naming `filter` when it is neither one of ours nor a library type */
export function checkFilter(filter: string | undefined, types: readonly string[]): void {
  if (filter === undefined || filter in filters || types.includes(filter)) return;
  throw badField("filter", `must be one of ${[...Object.keys(filters), ...types].join(", ")}`);
}

/** Narrows a query to a selection, as this viewer may see it. */
export function select<O>(
  query: Query<O>,
  selection: SeriesSelection,
  { viewer, index }: { readonly viewer: Viewer; readonly index: SearchIndex },
): Query<O> {
  let narrowed = selection.catalog ? query.where("state", "<>", "vanished") : query.where("state", "=", "tracked");
  if (!viewer.seesRestricted) narrowed = narrowed.where("hidden", "=", 0);
  const { filter, library, publisher, among, except } = selection;
  if (filter !== undefined)
    narrowed = narrowed.where(
      (eb) => (filters[filter] ? filters[filter](eb, viewer.user.id) : eb("type", "=", filter)) ?? sql<SqlBool>`1 = 1`,
    );
  if (library !== undefined)
    narrowed = narrowed.where((eb) =>
      selection.withUnassigned
        ? eb.or([eb("library_id", "=", library), eb("library_id", "is", null)])
        : eb("library_id", "=", library),
    );
  if (publisher !== undefined) narrowed = narrowed.where("publisher", "=", publisher);
  if (selection.collections) narrowed = narrowed.where("collected", ">", 0);
  if (among !== undefined) narrowed = narrowed.where(isAmong("series.id", among));
  if (except !== undefined)
    narrowed = narrowed.where("owned", ">", 0).where((eb) => eb.not(isAmong("series.id", except)));
  return search(narrowed, selection.search, index);
}

function search<O>(query: Query<O>, text: string | undefined, index: SearchIndex): Query<O> {
  const { words, numbers } = readSearch(text ?? "");
  let narrowed = words === "" ? query : query.where(index.matches("series.id", words));
  for (const number of numbers) {
    const { sortKey } = parseIssueNumber(number);
    narrowed = narrowed.where("series.id", "in", (eb) =>
      eb
        .selectFrom("issue")
        .select("issue.series_id")
        .where("issue.sort_key", "=", sortKey)
        .where("issue.present", "=", 1),
    );
  }
  return narrowed;
}

export const sorts = ["best", "title", "-title", "added", "missing", "year", "-year", "latest"] as const;
export type SeriesSort = (typeof sorts)[number];

/** 0 for a title that is the text, 1 for one that begins with it, 2 for any other. */
function fit(eb: Builder, text: string): Expression<number> {
  const key = foldTitle(readSearch(text).words);
  const begins = eb.and([eb("title_key", ">=", key), eb("title_key", "<", `${key}\u{10ffff}`)]);
  const rank = eb.case().when("title_key", "=", key).then(0).when(begins).then(1).else(2).end();
  return rank;
}

/**
 * Every order ends in the id, so that pages neither repeat nor skip.
 * `best` puts the titles first that are what was searched for, or begin with it.
 */
export function arrange<O>(query: Query<O>, sort: SeriesSort, selection: SeriesSelection): Query<O> {
  const { filter, search: text = "" } = selection;
  // No complete series misses anything. SQLite would sort all of them by that to find it out.
  switch (sort === "missing" && filter === "complete" ? "title" : sort) {
    case "best":
      return (text === "" ? query : query.orderBy((eb) => fit(eb, text))).orderBy("title_order").orderBy("series.id");
    case "title":
      return query.orderBy("title_order").orderBy("series.id");
    case "-title":
      return query.orderBy("title_order", "desc").orderBy("series.id", "desc");
    case "added":
      return query.orderBy("added_at", "desc").orderBy("series.id", "desc");
    case "missing":
      return query
        .orderBy((eb) => eb("missing", "+", eb.ref("gaps")), "desc")
        .orderBy("title_order")
        .orderBy("series.id");
    case "year":
      return query
        .orderBy(sql`coalesce(series.year, 0)`)
        .orderBy("title_order")
        .orderBy("series.id");
    case "-year":
      return query
        .orderBy(sql`coalesce(series.year, 0)`, "desc")
        .orderBy("title_order")
        .orderBy("series.id");
    case "latest":
      return query
        .orderBy(sql`coalesce(series.latest, '')`, "desc")
        .orderBy("title_order")
        .orderBy("series.id");
  }
}

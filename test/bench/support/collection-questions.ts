/** What is asked of a large collection, and what the same question is to bare SQLite. */
export interface Question {
  readonly figure: string;
  readonly goalMs: number;
  /** Each is another one, so that no kept answer helps. */
  readonly path: (index: number) => string;
  /** The statement that this very path comes down to. */
  readonly statement: (index: number) => string;
}

const page = "select * from series where state = 'tracked'";
const byTitle = "order by title_order, id limit 60";
const orders: ReadonlyArray<readonly [sort: string, order: string]> = [
  ["title", "title_order, id"],
  ["-title", "title_order desc, id desc"],
  ["added", "added_at desc, id desc"],
  ["missing", "missing desc, title_key, id"],
  ["-year", "year desc, title_key, id"],
  ["latest", "latest desc, title_key, id"],
];
const filters: ReadonlyArray<readonly [filter: string, condition: string]> = [
  ["incomplete", "(missing > 0 or gaps > 0)"],
  ["ongoing", "status = 'ongoing'"],
  ["unmatched", "cv_id is null"],
  ["manga", "type = 'manga'"],
  ["complete", "missing = 0 and total > 0"],
];
const searches = [
  "moth",
  "lantern 1",
  "electric signal",
  "harb",
  "writer 7",
  "publisher 12",
  "raven 42",
  "silver tide 9",
];

const of = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const narrow = (index: number, from: number) =>
  `${of(["moth", "lantern", "signal", "harb", "writer"], index)} ${from + index}`;
const matching = (words: string) =>
  `id in (select rowid from fulltext_series where fulltext_series match '${words
    .split(" ")
    .map((word) => `"${word}"*`)
    .join(" ")}')`;

export const questions: readonly Question[] = [
  {
    figure: "first pages of 60",
    goalMs: 100,
    path: (index) => `/api/collection?limit=60&sort=${of(orders, index)[0]}&offset=${index}`,
    statement: (index) => `${page} order by ${of(orders, index)[1]} limit 60 offset ${index}`,
  },
  {
    figure: "deep pages of 60",
    goalMs: 100,
    path: (index) => `/api/collection?limit=60&offset=${50_000 + index * 1000}`,
    statement: (index) => `${page} ${byTitle} offset ${50_000 + index * 1000}`,
  },
  {
    figure: "filtered pages of 60",
    goalMs: 100,
    path: (index) => `/api/collection?limit=60&filter=${of(filters, index)[0]}&offset=${index}`,
    statement: (index) => `${page} and ${of(filters, index)[1]} ${byTitle} offset ${index}`,
  },
  {
    figure: "search",
    goalMs: 50,
    path: (index) => `/api/collection?limit=60&search=${encodeURIComponent(of(searches, index))}&offset=${index}`,
    statement: (index) => `${page} and ${matching(of(searches, index))} ${byTitle} offset ${index}`,
  },
  {
    figure: "search with a narrow result",
    goalMs: 50,
    path: (index) => `/api/collection?limit=60&search=${encodeURIComponent(narrow(index, 1000))}`,
    statement: (index) => `${page} and ${matching(narrow(index, 1000))} ${byTitle}`,
  },
  {
    figure: "counts, each for another search",
    goalMs: 20,
    path: (index) => `/api/collection/counts?library=1&search=${encodeURIComponent(narrow(index, 2000))}`,
    statement: (index) =>
      `select count(*), sum(missing > 0), sum(monitor = 'none'), sum(cv_id is null) from series where state = 'tracked' and library_id = 1 and ${matching(narrow(index, 2000))}`,
  },
  {
    figure: "counts, asked again",
    goalMs: 20,
    path: () => "/api/collection/counts",
    statement: () =>
      "select count(*), sum(missing > 0), sum(monitor = 'none'), sum(cv_id is null) from series where state = 'tracked'",
  },
  {
    figure: "status",
    goalMs: 10,
    path: () => "/api/status",
    statement: () => "select count(*) from series where state = 'tracked'",
  },
];

/** What is asked of the list of what is wanted; the statements leave out what only the rows of a page are asked for. */
export const wantedQuestions: readonly Question[] = [
  {
    figure: "wanted, newest first",
    goalMs: 100,
    path: (index) => `/api/wanted?limit=60&sort=newest&offset=${index}`,
    statement: (index) =>
      `select issue.* from issue join series on series.id = issue.series_id where issue.wanted = 1 order by coalesce(store_date, cover_date) desc, title_key, series.id, sort_key, issue.id limit 60 offset ${index}`,
  },
  {
    figure: "wanted, first pages",
    goalMs: 100,
    path: (index) => `/api/wanted?limit=60&offset=${index}`,
    statement: (index) =>
      `select issue.* from issue join series on series.id = issue.series_id where issue.wanted = 1 order by title_key, series.id, sort_key, issue.id limit 60 offset ${index}`,
  },
];

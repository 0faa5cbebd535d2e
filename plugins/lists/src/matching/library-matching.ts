import type { Viewer } from "@longbox/sdk";
import { foldIssueNumber, type CollectionContract, type Issue, type Series } from "@longbox/collection/contract";
import type { Book } from "../cbl/list-file.js";
import { otherNames, type NamedBook } from "./annual-names.js";
import { yearOf } from "./years.js";

/** The result of matching a book: the issue, or the reason why there is none. */
export type Match = { readonly cvIssueId: number; readonly issue?: Issue | undefined } | { readonly reason: string };

/** The issues of a series by the folded number; two kinds may share one. */
type Numbered = ReadonlyMap<string, readonly Issue[]>;

/** What the library has under the names of some books. */
interface Named {
  seriesOf(book: NamedBook): readonly Series[];
  issuesOf(series: Series): Promise<Numbered>;
}

/** Finds books in the library by the names and numbers of the list file. */
export class LibraryMatching {
  readonly #library: CollectionContract;

  constructor(library: CollectionContract) {
    this.#library = library;
  }

  /** @returns the results in the order of the books. The provider's ids decide; hidden series are not searched. */
  async match(books: readonly Book[], viewer: Viewer): Promise<Match[]> {
    const named = await this.#lookUp(
      books.filter(({ cvIssueId }) => cvIssueId === undefined),
      viewer,
    );
    const matches: Match[] = [];
    for (const book of books) matches.push(await matchBook(book, named));
    return matches;
  }

  /**
   * For books whose provider ids the library does not know: the issues that their names mean, in the order of the
   * books. Only issues without an id of the provider are considered, because another id says that it is another issue.
   */
  async findUnidentified(books: readonly NamedBook[], viewer: Viewer): Promise<Array<Issue | undefined>> {
    const named = await this.#lookUp(books, viewer);
    const found: Array<Issue | undefined> = [];
    for (const book of books) {
      const judged = await judge(book, named, isUnidentified);
      found.push("issue" in judged ? judged.issue : undefined);
    }
    return found;
  }

  async #lookUp(books: readonly NamedBook[], viewer: Viewer): Promise<Named> {
    const named = books.filter(({ series, number }) => series !== "" && number !== "");
    const titles = [...new Set(named.flatMap((book) => [book, ...otherNames(book)]).map(({ series }) => series))];
    const found = titles.length === 0 ? [] : await this.#library.findSeriesByTitles(titles, viewer);
    const series = new Map(titles.map((title, index) => [title, found[index] ?? []]));
    const numbered = new Map<number, Promise<Numbered>>();
    return {
      seriesOf: (book) => series.get(book.series) ?? [],
      issuesOf: ({ id }) => {
        const known =
          numbered.get(id) ??
          this.#library
            .listIssues(id, viewer)
            .then((issues) => Map.groupBy(issues, (issue) => foldIssueNumber(issue.number)));
        numbered.set(id, known);
        return known;
      },
    };
  }
}

async function matchBook(book: Book, named: Named): Promise<Match> {
  if (book.cvIssueId !== undefined) return { cvIssueId: book.cvIssueId };
  if (book.series === "") return { reason: "The file names no series." };
  if (book.number === "") return { reason: "The file names no number." };
  const judged = await judge(book, named);
  return "issue" in judged ? { cvIssueId: judged.issue.cvIssueId, issue: judged.issue } : judged;
}

/** An issue of the library with its series. */
interface Candidate {
  readonly issue: Issue;
  readonly series: Series;
}

type Judged = { readonly issue: Issue } | { readonly reason: string };
type Counts = (candidate: Candidate) => boolean;

const isAny: Counts = () => true;
/** The provider's number of a series, and the id of an issue, say that it is another one. */
const isUnidentified: Counts = ({ issue, series }) => issue.cvIssueId < 0 && series.cvId === undefined;
/** Annuals in the folder of their parent have no ids, also where the parent has: the volume does not list them. */
const isUnidentifiedAnnual: Counts = ({ issue }) => issue.cvIssueId < 0;

/** By the name that a list gives a book; annuals also by their other name. */
async function judge(book: NamedBook, named: Named, counts = isAny): Promise<Judged> {
  const judged = await judgeName(book, named, counts);
  if ("issue" in judged) return judged;
  for (const other of otherNames(book)) {
    const found = await judgeOtherName({ book, other }, named, counts === isAny ? isAny : isUnidentifiedAnnual);
    if (found) return { issue: found };
  }
  return judged;
}

/** The year in which annuals began is not that of their parent: they began in it or later. */
async function judgeOtherName(
  { book, other }: { readonly book: NamedBook; readonly other: NamedBook },
  named: Named,
  counts: Counts,
): Promise<Issue | undefined> {
  const began = yearOf(book.volume);
  const isParent = other.series.length < book.series.length;
  const isPossible: Counts = (candidate) => {
    const { year = began } = candidate.series;
    const isLater = began === undefined || year === undefined || (isParent ? year <= began + 1 : year >= began - 1);
    return isLater && counts(candidate);
  };
  const judged = await judgeName({ ...other, volume: "" }, named, isPossible);
  return "issue" in judged ? judged.issue : undefined;
}

async function judgeName(book: NamedBook, named: Named, counts: Counts): Promise<Judged> {
  const series = named.seriesOf(book);
  if (series.length === 0) return { reason: "No series of this name is in the library." };
  const key = foldIssueNumber(book.number);
  const candidates: Candidate[] = [];
  for (const each of series)
    for (const issue of (await named.issuesOf(each)).get(key) ?? [])
      if (counts({ issue, series: each })) candidates.push({ issue, series: each });
  const began = yearOf(book.volume);
  const fitting = mostFitting(
    candidates.map((candidate) => ({ issue: candidate.issue, fit: fitOf(candidate, book, began) })),
  );
  const [only, ...others] = fitting;
  if (others.length > 0) return { reason: "Several items in the library match." };
  if (only) return { issue: only };
  const possible = began === undefined || series.some(({ year }) => year === undefined || year === began);
  return {
    reason: possible
      ? "The series in the library has nothing with this number."
      : `The series of this name in the library did not begin in ${began}.`,
  };
}

/** How well an issue fits a book; undefined where it cannot be the one. */
type Fit = "series and date" | "series" | "date" | "possible" | undefined;
const byFit: readonly Fit[] = ["series and date", "series", "date", "possible"];

function fitOf({ issue, series }: Candidate, book: NamedBook, began: number | undefined): Fit {
  const published = yearOf(book.year);
  const dated = yearOf(issue.coverDate?.slice(0, 4) ?? "");
  // A cover names a month after the one in which the issue is sold.
  const distance = published === undefined || dated === undefined ? undefined : Math.abs(published - dated);
  if (distance !== undefined && distance > 1) return undefined;
  if (began !== undefined && series.year === began) return distance === 0 ? "series and date" : "series";
  if (began !== undefined && series.year !== undefined) return byDateAlone({ series, published, distance });
  if (dated === undefined && published !== undefined && (series.year ?? 0) > published) return undefined;
  return distance === 0 ? "date" : "possible";
}

/**
 * Of a series that the provider did not date: file names often give the year of the issue instead of that of the
 * series.
 */
function byDateAlone(what: {
  readonly series: Series;
  readonly published: number | undefined;
  readonly distance: number | undefined;
}): Fit {
  if (what.series.cvId !== undefined) return undefined;
  const isDate = what.distance === undefined ? what.series.year === what.published : what.distance === 0;
  return isDate ? "date" : undefined;
}

/** All that fit as well as the best one does. */
function mostFitting(judged: ReadonlyArray<{ readonly issue: Issue; readonly fit: Fit }>): Issue[] {
  for (const fit of byFit) {
    const found = judged.filter((each) => each.fit === fit);
    if (found.length > 0) return found.map(({ issue }) => issue);
  }
  return [];
}

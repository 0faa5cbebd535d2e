import type { Viewer } from "@longbox/sdk";
import { foldIssueNumber, type CollectionContract, type Issue, type Series } from "@longbox/collection/contract";
import type { Book } from "../cbl/list-file.js";
import { yearOf } from "./years.js";

/** What a book of a list file is; what is not found says why. */
export type Match = { readonly cvIssueId: number; readonly issue?: Issue | undefined } | { readonly reason: string };

/** The issues of a series by the folded number; two kinds may share one. */
type Numbered = ReadonlyMap<string, readonly Issue[]>;

/** Finds books in the library by what their file calls them. */
export class LibraryMatching {
  readonly #library: CollectionContract;

  constructor(library: CollectionContract) {
    this.#library = library;
  }

  /** In the order of the books. The provider's ids decide; the library's series that the viewer may not know of are not looked at. */
  async match(books: readonly Book[], viewer: Viewer): Promise<Match[]> {
    const titles = [
      ...new Set(books.flatMap((book) => (book.cvIssueId === undefined && book.series !== "" ? [book.series] : []))),
    ];
    const found = titles.length === 0 ? [] : await this.#library.findSeriesByTitles(titles, viewer);
    const series = new Map(titles.map((title, index) => [title, found[index] ?? []]));
    const numbered = new Map<number, Promise<Numbered>>();
    const issuesOf = (seriesId: number) => {
      const known =
        numbered.get(seriesId) ??
        this.#library
          .listIssues(seriesId, viewer)
          .then((issues) => Map.groupBy(issues, (issue) => foldIssueNumber(issue.number)));
      numbered.set(seriesId, known);
      return known;
    };
    const matches: Match[] = [];
    for (const book of books) matches.push(await matchBook(book, series.get(book.series) ?? [], issuesOf));
    return matches;
  }
}

async function matchBook(
  book: Book,
  named: readonly Series[],
  issuesOf: (seriesId: number) => Promise<Numbered>,
): Promise<Match> {
  if (book.cvIssueId !== undefined) return { cvIssueId: book.cvIssueId };
  if (book.series === "") return { reason: "The file names no series." };
  if (book.number === "") return { reason: "The file names no number." };
  const began = yearOf(book.volume);
  const fitting =
    began === undefined ? named : named.filter((series) => series.year === undefined || series.year === began);
  if (fitting.length === 0)
    return {
      reason:
        named.length === 0
          ? "No series of this name is in the library."
          : `The series of this name in the library did not begin in ${began}.`,
    };
  const exact = fitting.filter((series) => series.year === began && began !== undefined);
  const key = foldIssueNumber(book.number);
  const candidates: Issue[] = [];
  for (const series of exact.length > 0 ? exact : fitting)
    candidates.push(...((await issuesOf(series.id)).get(key) ?? []));
  return choose(book, candidates);
}

/** Of several, the one whose cover date lies in the book's year. */
function choose(book: Book, candidates: readonly Issue[]): Match {
  const sameYear = candidates.filter((issue) => book.year !== "" && issue.coverDate?.startsWith(book.year));
  const [only, ...others] = candidates.length > 1 && sameYear.length > 0 ? sameYear : candidates;
  if (!only) return { reason: "The series in the library has no issue of this number." };
  if (others.length > 0) return { reason: "Several issues in the library fit." };
  return { cvIssueId: only.cvIssueId, issue: only };
}

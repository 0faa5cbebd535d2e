import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { bookDocument, type BookDocument, type PlacedBook } from "../documents/book.js";
import { BookNotFound } from "../komga-errors.js";

export interface BookSources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
}

/** Books: owned issues with pages. */
export class Books {
  constructor(private readonly sources: BookSources) {}

  /** @throws {BookNotFound} also for hidden ones and for those without pages */
  async get(bookId: number, viewer: Viewer): Promise<Issue> {
    const [issue] = await this.sources.library.findIssues([bookId], viewer);
    if (!issue || !isBook(issue)) throw new BookNotFound(String(bookId));
    return issue;
  }

  /** Those of a series, in reading order. */
  async ofSeries(seriesId: number, viewer: Viewer): Promise<PlacedBook[]> {
    const issues = (await this.sources.library.listIssues(seriesId, viewer)).filter(isBook);
    const series = await this.sources.library.findSeries(seriesId, viewer);
    const libraryId = series?.libraryId ?? (await this.#defaultLibrary(viewer));
    const sorts = numberSorts(issues);
    return issues.map((issue, index) => ({ issue, place: index + 1, numberSort: sorts[index]!, libraryId }));
  }

  /** The books among these issues, in the given order; each with its place in its series. */
  async place(issueIds: readonly number[], viewer: Viewer): Promise<PlacedBook[]> {
    const issues = await this.sources.library.findIssues(issueIds, viewer);
    const placed = new Map<number, PlacedBook>();
    for (const seriesId of new Set(issues.map((issue) => issue.seriesId)))
      for (const book of await this.ofSeries(seriesId, viewer)) placed.set(book.issue.id, book);
    return issueIds.flatMap((id) => placed.get(id) ?? []);
  }

  async document(bookId: number, viewer: Viewer): Promise<BookDocument> {
    const [document] = await this.documents(await this.place([bookId], viewer), viewer);
    if (!document) throw new BookNotFound(String(bookId));
    return document;
  }

  async documents(books: readonly PlacedBook[], viewer: Viewer): Promise<BookDocument[]> {
    const ids = books.map(({ issue }) => issue.id);
    const { files, library, reading } = this.sources;
    const [found, details, states] = await Promise.all([
      files.findFiles(ids),
      library.findIssueDetails(ids),
      reading.find(viewer, ids),
    ]);
    const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
    const stateOf = new Map(states.map((state) => [state.issueId, state]));
    return books.map((book) => {
      const { id } = book.issue;
      return bookDocument(book, { file: found.get(id), detail: detailOf.get(id), state: stateOf.get(id) });
    });
  }

  async #defaultLibrary(viewer: Viewer): Promise<number> {
    return (await this.sources.library.listLibraries(viewer))[0]?.id ?? 0;
  }
}

export const isBook = (issue: Issue): boolean => issue.owned && issue.pages > 0;

/**
 * A number for each issue that grows in reading order, as trackers need it: the issue's own number where it does,
 * otherwise a little more than that of the issue before, such as for annuals.
 */
export function numberSorts(issues: readonly Issue[]): number[] {
  const sorts: number[] = [];
  for (const { kind, number } of issues) {
    const before = sorts.at(-1) ?? Number.NEGATIVE_INFINITY;
    const own = kind === "issue" && /^-?\d+(\.\d+)?$/.test(number) ? Number(number) : Number.NaN;
    sorts.push(own > before ? own : Math.round((Math.max(before, 0) + 0.01) * 100) / 100);
  }
  return sorts;
}

import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { WorkCovers } from "./asking/covers.js";
import { BookNotFound, NotABook } from "./errors.js";
import { evidenceOf, type BookEvidence, type CatalogBook } from "./matching/book-evidence.js";
import type { BookRecord, BookRecords, KeptCandidate } from "./matching/book-records.js";
import { readBooks } from "./matching/sync.js";
import type { Review, ReviewedBook, WorkCandidate, WorkRow } from "./shapes.js";
import { libraryTypes, type FoundWork } from "./works.js";

interface ReviewingParts {
  readonly library: CollectionContract;
  readonly records: BookRecords;
  readonly covers: WorkCovers;
}

/** Books as the person sees them who decides on their works. */
export class Reviewing {
  constructor(private readonly parts: ReviewingParts) {}

  /** The books that wait for a person, with their candidates. */
  async list(range: { readonly limit: number; readonly offset: number }, viewer: Viewer): Promise<Review> {
    const books = await this.#waiting(viewer);
    const shown = books.slice(range.offset, range.offset + range.limit);
    return { books: await this.#describe(shown, viewer), total: books.length };
  }

  async count(viewer: Viewer): Promise<number> {
    return (await this.#waiting(viewer)).length;
  }

  /**
   * @throws {NotFound} `open-library/book-not-found`, also when it is hidden
   * @throws {Conflict} `open-library/unknown-type`
   */
  async getEvidence(cvIssueId: number, viewer: Viewer): Promise<BookEvidence> {
    return evidenceOf(await this.#get(cvIssueId, viewer));
  }

  /** @throws as {@link getEvidence} */
  async get(cvIssueId: number, viewer: Viewer): Promise<ReviewedBook> {
    const [book] = await this.#describe([await this.#get(cvIssueId, viewer)], viewer);
    return book!;
  }

  async #get(cvIssueId: number, viewer: Viewer): Promise<CatalogBook> {
    const issue = await this.parts.library.findIssue(cvIssueId, viewer);
    if (!issue) throw new BookNotFound(cvIssueId);
    if (!(libraryTypes as readonly string[]).includes(issue.type)) throw new NotABook(issue.type);
    const [book] = await readBooks(this.parts.library, [issue.id], viewer);
    if (!book) throw new BookNotFound(cvIssueId);
    return book;
  }

  async #waiting(viewer: Viewer): Promise<CatalogBook[]> {
    const books = await readBooks(this.parts.library, await this.parts.records.listIn("review"), viewer);
    return books
      .filter(({ issue }) => issue.owned)
      .toSorted((one, other) => one.issue.label.full.localeCompare(other.issue.label.full, "en"));
  }

  async #describe(books: readonly CatalogBook[], viewer: Viewer): Promise<ReviewedBook[]> {
    const types = new Map((await this.parts.library.listLibraryTypes()).map((type) => [type.id, type.words.unit.one]));
    const records = await this.parts.records.find(books.map(({ issue }) => issue.id));
    const shown = books.map((book) => rowOf(book, types.get(book.issue.type) ?? "book", records.get(book.issue.id)));
    const candidates = [...records.values()].flatMap((record) => record.candidates);
    await this.parts.covers.remember(
      candidates.map(({ workId: id, coverId }) => ({ id, coverId })),
      viewer,
    );
    return shown;
  }
}

function rowOf(book: CatalogBook, unit: string, record: BookRecord | undefined): ReviewedBook {
  const { issue } = book;
  const { authors, year, language, isbns } = evidenceOf(book);
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    seriesId: issue.seriesId,
    title: issue.label.full,
    within: issue.label.within ?? null,
    authors: [...authors],
    year: year ?? null,
    language: language ?? null,
    isbns: [...isbns],
    type: issue.type,
    unit,
    cover: `/api/issue/${issue.cvIssueId}/cover`,
    state: record?.state ?? "new",
    workId: record?.workId ?? null,
    reasons: [...(record?.reasons ?? [])],
    candidates: (record?.candidates ?? []).map(candidateOf),
  };
}

export function candidateOf({ score, reasons, ...kept }: KeptCandidate): WorkCandidate {
  return { ...workRow({ ...kept, id: kept.workId }), score, reasons };
}

/** A work of Open Library as clients see it. */
export function workRow(
  work: Pick<FoundWork, "id" | "title" | "authors" | "languages" | "series"> & {
    readonly year?: number | undefined;
    readonly coverId?: number | undefined;
  },
): WorkRow {
  return {
    workId: work.id,
    title: work.title,
    authors: [...work.authors],
    year: work.year ?? null,
    languages: [...work.languages],
    series: work.series.map(({ name, number }) => ({ name, number })),
    image: work.coverId === undefined ? null : `/api/open-library/works/${work.id}/cover`,
  };
}

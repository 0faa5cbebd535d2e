import type { ProviderWork, WorkCatalogContract } from "@longbox/collection/contract";
import { NotFound, type Viewer } from "@longbox/sdk";
import type { AskOptions } from "../asking/library-client.js";
import type { OpenLibrary } from "../asking/open-library.js";
import { NoSuchWork } from "../errors.js";
import type { FoundWork, FullWork } from "../works.js";
import { idScheme } from "../works.js";
import { evidenceOf, type BookEvidence, type CatalogBook } from "./book-evidence.js";
import { keptOf, type BookRecord, type BookRecords, type KeptCandidate } from "./book-records.js";
import { findCertain } from "./evidence.js";
import { Searching } from "./searching.js";

export interface MatchingParts {
  readonly library: OpenLibrary;
  readonly catalog: WorkCatalogContract;
  readonly records: BookRecords;
  /** The address of a work's page. */
  readonly pageOf: (workId: string) => string;
  readonly changed: () => void;
}

export interface MatchOptions extends AskOptions {
  readonly viewer: Viewer;
  /** Called before each book. */
  readonly beginning?: (book: BookEvidence) => void;
  /** Called when the outcome of a book is stored. */
  readonly settled?: () => Promise<void>;
}

/** What was chosen for a book, and why. */
interface Choice {
  readonly workId: string;
  readonly reasons: readonly string[];
  readonly byHand: boolean;
  /** What a search told of the work. */
  readonly found?: KeptCandidate | undefined;
}

/** A search is repeated after so long: Open Library grows. */
const askAgainMs = 30 * 86_400_000;

/** Finds the work of a book, and describes the book with it. */
export class Matching {
  readonly #searching: Searching;

  constructor(private readonly parts: MatchingParts) {
    this.#searching = new Searching(parts.library);
  }

  /** Those of these books that were not looked up yet, or that have become others since. */
  async due(books: readonly CatalogBook[]): Promise<BookEvidence[]> {
    const records = await this.parts.records.find(books.map(({ issue }) => issue.id));
    return books.map(evidenceOf).filter((book) => {
      const record = records.get(book.issueId);
      if (!record) return true;
      if (record.state === "matched" || record.state === "dismissed") return false;
      return record.evidence !== book.key || record.lookedAt < Date.now() - askAgainMs;
    });
  }

  /** Looks up books, and describes those whose work is certain. The others wait for a person. */
  async match(books: readonly BookEvidence[], options: MatchOptions): Promise<BookRecord[]> {
    const byIsbn = await this.#searching.findByIsbns(
      books.filter((book) => book.workIds.length === 0),
      options,
    );
    const outcomes: BookRecord[] = [];
    for (const book of books) {
      options.signal?.throwIfAborted();
      options.beginning?.(book);
      outcomes.push(await this.#matchOne(book, byIsbn, options));
      await options.settled?.();
      this.parts.changed();
    }
    return outcomes;
  }

  /** The choice of a user. @throws {NotFound} `open-library/work-not-found` */
  async choose(book: BookEvidence, workId: string, options: MatchOptions): Promise<BookRecord> {
    const record = (await this.parts.records.find([book.issueId])).get(book.issueId);
    const found = record?.candidates.find((candidate) => candidate.workId === workId);
    const taken = await this.#take(book, { workId, reasons: ["chosen by a person"], byHand: true, found }, options);
    if (!taken) throw new NoSuchWork(workId);
    this.parts.changed();
    return taken;
  }

  /** Takes a match back, or says that none of the candidates is the book. It is not matched automatically again. */
  async dismiss(book: BookEvidence, viewer: Viewer): Promise<void> {
    await this.#forget(book.issueId, viewer);
    const nothing = { workId: undefined, coverId: undefined, reasons: [], candidates: [], former: undefined };
    await this.parts.records.put({
      ...nothing,
      issueId: book.issueId,
      state: "dismissed",
      byHand: true,
      evidence: book.key,
    });
    this.parts.changed();
  }

  async #matchOne(book: BookEvidence, byIsbn: readonly FoundWork[], options: MatchOptions): Promise<BookRecord> {
    const [stated, ...others] = book.workIds;
    if (stated !== undefined && others.length === 0) {
      const inside = { workId: stated, reasons: ["the id inside the file"], byHand: false };
      const taken = await this.#take(book, inside, options);
      if (taken) return taken;
    }
    const candidates = await this.#searching.findCandidates(book, byIsbn, options);
    const certain = findCertain(candidates);
    if (certain) {
      const { reasons } = certain.judgement;
      const choice = { workId: certain.work.id, reasons, byHand: false, found: keptOf(certain) };
      const taken = await this.#take(book, choice, options);
      if (taken) return taken;
    }
    return await this.#wait(book, candidates.map(keptOf));
  }

  async #wait(book: BookEvidence, candidates: readonly KeptCandidate[]): Promise<BookRecord> {
    const known = (await this.parts.records.find([book.issueId])).get(book.issueId);
    // A person decided while the search was under way.
    if (known?.byHand) return known;
    const record = {
      issueId: book.issueId,
      state: candidates.length > 0 ? ("review" as const) : ("unknown" as const),
      workId: undefined,
      coverId: undefined,
      reasons: [],
      candidates,
      former: undefined,
      byHand: false,
      evidence: book.key,
    };
    await this.parts.records.put(record);
    return { ...record, lookedAt: Date.now() };
  }

  /** @returns undefined when Open Library has no such work, or the book is gone */
  async #take(book: BookEvidence, choice: Choice, options: MatchOptions): Promise<BookRecord | undefined> {
    const work = await this.parts.library.findWork(choice.workId, options);
    if (!work) return undefined;
    const known = (await this.parts.records.find([book.issueId])).get(book.issueId);
    if (known?.byHand && !choice.byHand) return known;
    if (known?.former) await this.#forget(book.issueId, options.viewer);
    const described = describing(work, choice.found, this.parts.pageOf(work.id));
    const former = await this.parts.catalog
      .describeWork(book.issueId, described, options.viewer)
      .catch((fault: unknown) => {
        // The book was removed meanwhile.
        if (fault instanceof NotFound && !choice.byHand) return undefined;
        throw fault;
      });
    if (!former) return undefined;
    const record = {
      issueId: book.issueId,
      state: "matched" as const,
      workId: work.id,
      coverId: choice.found?.coverId ?? work.coverId,
      reasons: choice.reasons,
      candidates: [],
      former,
      byHand: choice.byHand,
      evidence: book.key,
    };
    await this.parts.records.put(record);
    return { ...record, lookedAt: Date.now() };
  }

  async #forget(issueId: number, viewer: Viewer): Promise<void> {
    const former = (await this.parts.records.find([issueId])).get(issueId)?.former;
    if (former) await this.parts.catalog.forgetWork(issueId, { scheme: idScheme, before: former }, viewer);
  }
}

/** A work as the collection keeps it. */
export function describing(work: FullWork, found: KeptCandidate | undefined, page: string): ProviderWork {
  const series = found?.series[0];
  const year = work.year ?? found?.year;
  const edition = found?.editionId === undefined ? [] : [found.editionId];
  return {
    ids: { scheme: idScheme, values: [work.id, ...work.formerIds, ...edition] },
    title: work.title,
    authors: work.authors.length > 0 ? work.authors : (found?.authors ?? []),
    ...(series && { series }),
    description: work.description,
    subjects: work.subjects,
    ...(year !== undefined && year >= 1000 && { publishedOn: String(year) }),
    url: page,
  };
}

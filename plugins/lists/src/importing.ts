import { isLongboxError, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { MetadataContract, ReleasedIssue } from "@longbox/metadata/contract";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Book, ListFile } from "./cbl/list-file.js";
import { BadField } from "./errors.js";
import type { Changes } from "./keeping/changes.js";
import { bareItem, type Editing } from "./keeping/editing.js";
import type { Entry, ListRecords, NewItem, NewUnmatched } from "./keeping/list-records.js";
import type { ReadingLists } from "./keeping/reading-lists.js";
import type { LibraryMatching, Match } from "./matching/library-matching.js";
import { waitingReason, type LookingUp } from "./matching/looking-up.js";
import type { ImportOutcome, Preview } from "./shapes.js";

export interface ImportingParts {
  readonly records: ListRecords;
  readonly lists: ReadingLists;
  readonly editing: Editing;
  readonly library: CollectionContract;
  readonly matching: LibraryMatching;
  readonly lookingUp: LookingUp;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly changes: Changes;
}

/** An import, for somebody who waits so long for the provider; what takes longer goes on by itself. */
export interface Order {
  readonly name: string;
  readonly viewer: Viewer;
  readonly patienceMs: number;
}

/** Makes lists of list files and story arcs. */
export class Importing {
  readonly #parts: ImportingParts;

  constructor(parts: ImportingParts) {
    this.#parts = parts;
  }

  async importFile(file: ListFile, { name, viewer, patienceMs }: Order): Promise<ImportOutcome> {
    const { editing, matching } = this.#parts;
    const matches = await matching.match(file.books, viewer);
    const asks = this.#parts.lookingUp.available;
    const entries = file.books.map((book, index) => toEntry(book, matches[index] as Match, asks));
    const id = await editing.create({ name, entries }, viewer);
    return await this.#lookUp({ id, name }, file.books.length, patienceMs);
  }

  /** Tries everything that is unmatched once more: the library first, then the provider. */
  async tryAgain(id: number, { viewer, patienceMs }: Omit<Order, "name">): Promise<ImportOutcome> {
    const { lists, records, matching, changes } = this.#parts;
    const list = await lists.own(id, viewer);
    const unmatched = await records.unmatched(id);
    const books = unmatched.map((book) => ({ ...book, cvIssueId: undefined, volumeId: undefined }));
    const matches = await matching.match(books, viewer);
    const found = unmatched.flatMap((book, index) => {
      const match = matches[index] as Match;
      return "cvIssueId" in match ? [{ unmatched: book, item: toItem(books[index] as Book, match) }] : [];
    });
    await records.resolve(id, found);
    const left = unmatched.filter((_, index) => !("cvIssueId" in (matches[index] as Match)));
    if (this.#parts.lookingUp.available) await records.explain(left.filter(canBeAsked).map((book) => book.id), { waiting: 1, reason: waitingReason });
    changes.announce(id);
    return await this.#lookUp(list, unmatched.length, patienceMs);
  }

  /** Asks the provider about what waits; answers what came of it so far. */
  async #lookUp({ id, name }: { readonly id: number; readonly name: string }, total: number, patienceMs: number): Promise<ImportOutcome> {
    const { records, lookingUp } = this.#parts;
    const waits = (await records.unmatched(id)).some((book) => book.waiting === 1);
    const { jobId } = waits ? await lookingUp.start({ id, name }, patienceMs) : { jobId: undefined };
    const unmatched = (await records.unmatched(id)).map(({ series, number, volume, reason }) => ({ series, number, volume, reason }));
    return { id, name, imported: total - unmatched.length, total, unmatched, ...(jobId === undefined ? {} : { jobId }) };
  }

  /** What an import would give, by the file and the library alone. */
  async preview(file: ListFile, viewer: Viewer): Promise<Preview> {
    const { library, matching } = this.#parts;
    const matches = await matching.match(file.books, viewer);
    const ids = matches.flatMap((match) => ("cvIssueId" in match ? [match.cvIssueId] : []));
    const issues = new Map((await library.findIssuesByClientIds(ids, viewer)).map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    const books = file.books.map((book, index) => {
      const match = matches[index] as Match;
      const cvIssueId = "cvIssueId" in match ? match.cvIssueId : undefined;
      const issue = cvIssueId === undefined ? undefined : issues.get(cvIssueId);
      return {
        series: book.series, number: book.number, volume: book.volume, year: book.year, ...(cvIssueId === undefined ? {} : { cvIssueId }), ...(issue ? { seriesId: issue.seriesId } : {}),
        hasId: book.cvIssueId !== undefined, owned: issue?.owned ?? false, inLibrary: issue !== undefined,
      };
    });
    return { name: file.name ?? null, total: books.length, owned: books.filter((book) => book.owned).length, books };
  }

  /** @returns the id of the new list */
  async importArc(arcId: number, name: string | undefined, viewer: Viewer, signal: AbortSignal): Promise<number> {
    const metadata = this.#parts.metadata.use;
    const arc = await metadata.getArc(arcId, { urgency: "person", signal });
    const ids = [...new Set(arc.issues.map((issue) => issue.cvIssueId))];
    if (ids.length === 0) throw new BadField("arcId", "the provider lists no issues of this story arc");
    const known = new Map((await this.#describe(ids, signal)).map((issue) => [issue.cvIssueId, issue]));
    // The provider's order is not the reading order: issues are sorted by the day they came out, as far as that is known.
    const day = (id: number) => known.get(id)?.coverDate ?? known.get(id)?.storeDate ?? "9999";
    const sorted = ids.toSorted((one, other) => (day(one) < day(other) ? -1 : day(one) > day(other) ? 1 : 0));
    return await this.#parts.editing.create({ name: name ?? arc.name, arcId, entries: sorted.map((id) => ({ item: describedItem(id, known.get(id)) })) }, viewer);
  }

  /** What the issues of an arc are. Not knowing it yet is no reason to make no list: it is asked for again in the background. */
  async #describe(ids: readonly number[], signal: AbortSignal): Promise<readonly ReleasedIssue[]> {
    try {
      return await this.#parts.metadata.use.listIssues(ids, { urgency: "person", signal });
    } catch (fault) {
      if (!isLongboxError(fault) || fault.kind !== "upstream") throw fault;
      return [];
    }
  }
}

export function describedItem(cvIssueId: number, issue: ReleasedIssue | undefined): NewItem {
  if (!issue) return bareItem(cvIssueId);
  return {
    ...bareItem(cvIssueId), volume_id: issue.volumeId || null, series: issue.volumeName || null, number: issue.number, title: issue.title ?? null,
    cover_date: issue.coverDate ?? null, described: 1,
  };
}

const canBeAsked = (book: Pick<Book, "series" | "number">): boolean => book.series !== "" && book.number !== "";

function toEntry(book: Book, match: Match, asks: boolean): Entry {
  if ("cvIssueId" in match) return { item: toItem(book, match) };
  const waits = asks && canBeAsked(book);
  const unmatched: NewUnmatched = { series: book.series, number: book.number, volume: book.volume, year: book.year, reason: waits ? waitingReason : match.reason, waiting: waits ? 1 : 0 };
  return { unmatched };
}

function toItem(book: Book, match: { readonly cvIssueId: number }): NewItem {
  return {
    ...bareItem(match.cvIssueId), volume_id: book.volumeId ?? null, series: book.series || null, number: book.number || null, volume: book.volume || null, year: book.year || null,
    described: book.series === "" ? 0 : 1,
  };
}

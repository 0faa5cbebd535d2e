import { isLongboxError, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { MetadataContract, ReleasedIssue } from "@longbox/metadata/contract";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Book, ListFile } from "./cbl/list-file.js";
import { BadField } from "./errors.js";
import { bareItem, type Editing } from "./keeping/editing.js";
import type { Entry, ListRecord, ListRecords, NewItem } from "./keeping/list-records.js";
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
}

/** An import. `patienceMs` is how long the request may wait for the provider; longer work continues as a job. */
export interface Order {
  readonly name: string;
  readonly viewer: Viewer;
  readonly patienceMs: number;
}

/** A story arc of the provider. */
export interface WantedArc {
  readonly arcId: number;
  /** The name of the list; by default that of the arc. */
  readonly name: string | undefined;
}

/** Creates lists from list files and story arcs. */
export class Importing {
  readonly #parts: ImportingParts;

  constructor(parts: ImportingParts) {
    this.#parts = parts;
  }

  async importFile(file: ListFile, { name, viewer, patienceMs }: Order): Promise<ImportOutcome> {
    const id = await this.#parts.editing.create({ name, entries: file.books.map(toEntry) }, viewer);
    const list = { id, name, user_id: viewer.user.id };
    return await this.#lookUp(list, file.books.length, { again: false, patienceMs });
  }

  /** Looks up all unmatched books again, first in the library, then at the provider. */
  async tryAgain(id: number, { viewer, patienceMs }: Omit<Order, "name">): Promise<ImportOutcome> {
    const list = await this.#parts.lists.own(id, viewer);
    const total = (await this.#parts.records.unmatched(id)).length;
    return await this.#lookUp(list, total, { again: true, patienceMs });
  }

  /** Looks up the waiting books. @returns the results so far */
  async #lookUp(
    list: Pick<ListRecord, "id" | "name" | "user_id">,
    total: number,
    how: { readonly again: boolean; readonly patienceMs: number },
  ): Promise<ImportOutcome> {
    const { id, name } = list;
    const begun = total === 0 ? undefined : await this.#parts.lookingUp.start(list, how);
    const unmatched = (await this.#parts.records.unmatched(id)).map(({ series, number, volume, reason }) => ({
      series,
      number,
      volume,
      reason,
    }));
    const goesOn = begun !== undefined && begun.ended === undefined;
    const jobId = goesOn ? { jobId: begun.jobId } : {};
    return { id, name, imported: total - unmatched.length, total, unmatched, ...jobId };
  }

  /** Previews an import from the file and the library, without the provider. */
  async preview(file: ListFile, viewer: Viewer): Promise<Preview> {
    const { library, matching } = this.#parts;
    const matches = await matching.match(file.books, viewer);
    const idOf = (match: Match) => ("cvIssueId" in match ? match.cvIssueId : undefined);
    const ids = matches.flatMap((match) => idOf(match) ?? []);
    const issues = new Map(
      (await library.findIssuesByClientIds(ids, viewer)).map(({ cvIssueId, issue }) => [cvIssueId, issue]),
    );
    const absent = file.books.filter((_, index) => !issues.has(idOf(matches[index] as Match) ?? 0));
    const byName = await matching.findUnidentified(absent, viewer);
    const named = new Map(absent.map((book, index) => [book, byName[index]]));
    const books = file.books.map((book, index) => {
      const cvIssueId = idOf(matches[index] as Match);
      const issue = issues.get(cvIssueId ?? 0) ?? named.get(book);
      return {
        series: book.series,
        number: book.number,
        volume: book.volume,
        year: book.year,
        ...(cvIssueId === undefined ? {} : { cvIssueId }),
        ...(issue ? { seriesId: issue.seriesId } : {}),
        hasId: book.cvIssueId !== undefined,
        owned: issue?.owned ?? false,
        inLibrary: issue !== undefined,
      };
    });
    return {
      name: file.name ?? null,
      total: books.length,
      owned: books.filter((book) => book.owned).length,
      listsLeft: await this.#parts.editing.listsLeft(viewer),
      books,
    };
  }

  /** @returns the id of the new list */
  async importArc({ arcId, name }: WantedArc, viewer: Viewer, signal: AbortSignal): Promise<number> {
    const metadata = this.#parts.metadata.use;
    const arc = await metadata.getArc(arcId, { urgency: "person", viewer, signal });
    const ids = [...new Set(arc.issues.map((issue) => issue.cvIssueId))];
    if (ids.length === 0) throw new BadField("arcId", "the provider lists no issues of this story arc");
    const known = new Map((await this.#describe(ids, signal)).map((issue) => [issue.cvIssueId, issue]));
    // The provider's order is not the reading order: issues are sorted by the day they came out, as far as that is
    // known.
    const day = (id: number) => known.get(id)?.coverDate ?? known.get(id)?.storeDate ?? "9999";
    const sorted = ids.toSorted((one, other) => (day(one) < day(other) ? -1 : day(one) > day(other) ? 1 : 0));
    return await this.#parts.editing.create(
      { name: name ?? arc.name, arcId, entries: sorted.map((id) => ({ item: describedItem(id, known.get(id)) })) },
      viewer,
    );
  }

  /**
   * The titles of the issues of an arc. When the lookup fails, the list is created without them and they are fetched
   * later.
   */
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
    ...bareItem(cvIssueId),
    volume_id: issue.volumeId || null,
    series: issue.volumeName || null,
    number: issue.number,
    title: issue.title ?? null,
    cover_date: issue.coverDate ?? null,
    described: 1,
  };
}

/** Every book is first stored as unmatched, in its position. */
function toEntry(book: Book): Entry {
  return {
    unmatched: {
      series: book.series,
      number: book.number,
      volume: book.volume,
      year: book.year,
      cv_issue_id: book.cvIssueId ?? null,
      volume_id: book.volumeId ?? null,
      reason: waitingReason,
      waits_for: "library",
    },
  };
}

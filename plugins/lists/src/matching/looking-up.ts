import { isLongboxError, type KernelUsers, type OptionalCapability } from "@longbox/sdk";
import type { AskOptions, MetadataContract } from "@longbox/metadata/contract";
import type { JobControl } from "@longbox/operations/contract";
import type { Background, Begun } from "../background.js";
import type { Book } from "../cbl/list-file.js";
import { AccountGone } from "../errors.js";
import type { Changes } from "../keeping/changes.js";
import { bareItem } from "../keeping/editing.js";
import type { ListRecord, ListRecords, NewItem, UnmatchedRecord } from "../keeping/list-records.js";
import type { LibraryMatching } from "./library-matching.js";
import { askProvider, groupsOf } from "./provider-matching.js";

export const matchingKind = "lists.match";
/** The reason shown for books that have not been looked up yet. */
export const waitingReason = "It has not been looked up yet.";
/** How many books are looked up in the library at once. */
const atOnce = 200;

export interface LookingUpParts {
  readonly records: ListRecords;
  readonly matching: LibraryMatching;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly users: KernelUsers;
  readonly background: Background;
  readonly changes: Changes;
}

/** The owner of the list; the library is searched with the current rights of this account. */
export interface LookUpRequest {
  readonly listId: number;
  readonly userId: number;
  /** Whether all unmatched books are looked up again, not only the waiting ones. */
  readonly again: boolean;
}

/**
 * Finds the issues of unmatched books, in the library first and then at the provider, as a job. What waits is in the
 * tables, so that a restart loses nothing.
 */
export class LookingUp {
  readonly #parts: LookingUpParts;

  constructor(parts: LookingUpParts) {
    this.#parts = parts;
  }

  /** Starts, and waits for a while. */
  start(
    list: Pick<ListRecord, "id" | "name" | "user_id">,
    how: { readonly again: boolean; readonly patienceMs: number },
  ): Promise<Begun> {
    const request = { listId: list.id, userId: list.user_id, again: how.again };
    const errand = {
      kind: matchingKind,
      title: `Find the items of ${list.name}`,
      key: `${matchingKind}:${list.id}`,
      input: request,
    };
    return this.#parts.background.run(errand, (control) => this.work(request, control), how.patienceMs);
  }

  /** Looks for some unmatched books of a list in the library only. What is not found stays as it is. */
  async lookAgain(listId: number, books: readonly UnmatchedRecord[]): Promise<void> {
    const { records, matching, users } = this.#parts;
    const list = await records.find(listId);
    const viewer = list && (await users.viewerOf(list.user_id));
    if (!viewer) return;
    const matches = await matching.match(books.map(toBook), viewer);
    const found = matches.flatMap((match, index) => {
      const book = books[index] as UnmatchedRecord;
      return "cvIssueId" in match ? [{ unmatched: book, item: toOwnItem(book, match.cvIssueId) }] : [];
    });
    if (found.length === 0) return;
    await records.resolve(listId, found);
    await this.#announce(listId);
  }

  /** @param resumed - the job was begun before a restart */
  async work({ listId, userId, again }: LookUpRequest, control: JobControl, resumed = false): Promise<string> {
    const { records } = this.#parts;
    if (again && !resumed) await records.awaitLibrary(listId, waitingReason);
    await control.checkpoint({ begun: true });
    const total = (await records.countWaiting(listId, "library")) + (await records.countWaiting(listId, "provider"));
    const here = await this.#lookInLibrary({ listId, userId }, control);
    const there = await this.#askProvider(listId, control);
    return `${here + there} of ${total} items were found.`;
  }

  /** Books that are found in the library become items; the others wait for the provider. */
  async #lookInLibrary({ listId, userId }: Omit<LookUpRequest, "again">, control: JobControl): Promise<number> {
    const total = await this.#parts.records.countWaiting(listId, "library");
    let [found, looked] = [0, 0];
    for (;;) {
      control.signal.throwIfAborted();
      const books = await this.#parts.records.waiting(listId, "library", atOnce);
      if (books.length === 0) break;
      found += await this.#matchHere(listId, userId, books);
      looked += books.length;
      control.progress(looked, total, books[0]?.series ?? "");
    }
    await this.#announce(listId);
    return found;
  }

  async #matchHere(listId: number, userId: number, books: readonly UnmatchedRecord[]): Promise<number> {
    const { records, matching, metadata, users } = this.#parts;
    const viewer = await users.viewerOf(userId);
    if (!viewer) throw new AccountGone();
    const matches = await matching.match(books.map(toBook), viewer);
    const judged = books.map((book, index) => ({ book, match: matches[index] as (typeof matches)[number] }));
    const found = judged.flatMap(({ book, match }) =>
      "cvIssueId" in match ? [{ unmatched: book, item: toOwnItem(book, match.cvIssueId) }] : [],
    );
    await records.resolve(listId, found);
    const missing = judged.flatMap(({ book, match }) => ("reason" in match ? [{ book, reason: match.reason }] : []));
    const asks = (book: UnmatchedRecord) => metadata.available() && book.series !== "" && book.number !== "";
    await records.explain(
      missing.filter(({ book }) => asks(book)).map(({ book }) => book.id),
      {
        reason: waitingReason,
        waits_for: "provider",
      },
    );
    const reasons = Map.groupBy(
      missing.filter(({ book }) => !asks(book)),
      ({ reason }) => reason,
    );
    for (const [reason, those] of reasons)
      await records.explain(
        those.map(({ book }) => book.id),
        { reason, waits_for: null },
      );
    return found.length;
  }

  async #askProvider(listId: number, control: JobControl): Promise<number> {
    let found = 0;
    // Read again each time: the books may be dismissed, or the list deleted, meanwhile.
    for (let done = 0; ; done += 1) {
      control.signal.throwIfAborted();
      const groups = groupsOf(await this.#parts.records.waiting(listId, "provider"));
      const [group] = groups;
      if (!group) break;
      control.progress(done, done + groups.length, group[0]?.series ?? "");
      // The first lookups have priority, because the request waits for them.
      const urgency = done < 4 ? "person" : "background";
      found += await this.#ask(listId, group, { urgency, signal: control.signal });
      control.progress(done + 1, done + groups.length, group[0]?.series ?? "");
      await this.#announce(listId);
    }
    return found;
  }

  async #ask(listId: number, group: readonly UnmatchedRecord[], options: AskOptions): Promise<number> {
    const { records, metadata } = this.#parts;
    try {
      const matches = await askProvider(metadata.use, group, options);
      const found = matches.flatMap(({ book, match }) =>
        "cvIssueId" in match ? [{ unmatched: book, item: toForeignItem(book, match) }] : [],
      );
      await records.resolve(listId, found);
      for (const { book, match } of matches)
        if ("reason" in match) await records.explain([book.id], { reason: match.reason, waits_for: null });
      return found.length;
    } catch (fault) {
      options.signal?.throwIfAborted();
      if (!isLongboxError(fault)) throw fault;
      await records.explain(
        group.map((book) => book.id),
        { reason: `The provider could not be asked: ${fault.message}`, waits_for: null },
      );
      return 0;
    }
  }

  async #announce(listId: number): Promise<void> {
    const list = await this.#parts.records.find(listId);
    if (list !== undefined) this.#parts.changes.announce(list);
  }
}

function toBook(book: UnmatchedRecord): Book {
  const { series, number, volume, year } = book;
  return {
    series,
    number,
    volume,
    year,
    cvIssueId: book.cv_issue_id ?? undefined,
    volumeId: book.volume_id ?? undefined,
  };
}

function toOwnItem(book: UnmatchedRecord, cvIssueId: number): NewItem {
  return {
    ...bareItem(cvIssueId),
    volume_id: book.volume_id,
    series: book.series || null,
    number: book.number || null,
    volume: book.volume || null,
    year: book.year || null,
    described: book.series === "" ? 0 : 1,
  };
}

function toForeignItem(
  book: UnmatchedRecord,
  match: { cvIssueId: number; volumeId: number; title: string | undefined; coverDate: string | undefined },
): NewItem {
  return {
    cv_issue_id: match.cvIssueId,
    volume_id: match.volumeId,
    series: book.series,
    number: book.number,
    volume: book.volume || null,
    year: book.year || null,
    title: match.title ?? null,
    cover_date: match.coverDate ?? null,
    described: 1,
  };
}

import { isLongboxError, type OptionalCapability } from "@longbox/sdk";
import type { AskOptions, MetadataContract } from "@longbox/metadata/contract";
import type { Background, WorkControl } from "../background.js";
import type { Changes } from "../keeping/changes.js";
import type { ListRecord, ListRecords, NewItem, UnmatchedRecord } from "../keeping/list-records.js";
import { askProvider, groupsOf } from "./provider-matching.js";

export const matchingKind = "lists.match";
/** Said of books that are still to be looked up. */
export const waitingReason = "It is still to be looked up at the provider.";

export interface LookingUpParts {
  readonly records: ListRecords;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly background: Background;
  readonly changes: Changes;
}

/** Looks unmatched books of lists up at the provider. What waits is in the tables, so that a restart loses nothing. */
export class LookingUp {
  readonly #parts: LookingUpParts;

  constructor(parts: LookingUpParts) {
    this.#parts = parts;
  }

  get available(): boolean {
    return this.#parts.metadata.available();
  }

  /**
   * Starts, and waits for a while.
   * @param patienceMs - How long somebody waits for the end
   * @returns the job that goes on, when it does
   */
  async start(list: Pick<ListRecord, "id" | "name">, patienceMs: number): Promise<{ jobId: number | undefined; running: boolean }> {
    const errand = { kind: matchingKind, title: `Find the issues of ${list.name}`, key: `${matchingKind}:${list.id}`, input: { listId: list.id } };
    const { jobId, ended } = await this.#parts.background.run(errand, (control) => this.work(list.id, control));
    const running = !(await settlesWithin(ended, patienceMs));
    return { jobId: running ? jobId : undefined, running };
  }

  async work(listId: number, control: WorkControl): Promise<string> {
    let found = 0;
    let asked = 0;
    // Read anew each time: somebody may forget the books, or delete the list, meanwhile.
    for (let done = 0; ; done += 1) {
      control.signal.throwIfAborted();
      const groups = groupsOf((await this.#parts.records.unmatched(listId)).filter((book) => book.waiting === 1));
      const [group] = groups;
      control.progress(done, done + groups.length, group?.[0]?.series ?? "");
      if (!group) break;
      // The first questions are asked by somebody who waits for the answer.
      found += await this.#lookUp(listId, group, { urgency: done < 4 ? "person" : "background", signal: control.signal });
      asked += group.length;
      this.#parts.changes.announce(listId);
    }
    return `${found} of ${asked} issues were found.`;
  }

  async #lookUp(listId: number, group: readonly UnmatchedRecord[], options: AskOptions): Promise<number> {
    const { records, metadata } = this.#parts;
    try {
      const matches = await askProvider(metadata.use, group, options);
      const found = matches.flatMap(({ book, match }) => ("cvIssueId" in match ? [{ unmatched: book, item: toItem(book, match) }] : []));
      await records.resolve(listId, found);
      for (const { book, match } of matches) if ("reason" in match) await records.explain([book.id], { reason: match.reason, waiting: 0 });
      return found.length;
    } catch (fault) {
      options.signal?.throwIfAborted();
      if (!isLongboxError(fault)) throw fault;
      await records.explain(group.map((book) => book.id), { reason: `The provider could not be asked: ${fault.message}`, waiting: 0 });
      return 0;
    }
  }
}

function toItem(book: UnmatchedRecord, match: { cvIssueId: number; volumeId: number; title: string | undefined; coverDate: string | undefined }): NewItem {
  return {
    cv_issue_id: match.cvIssueId, volume_id: match.volumeId, series: book.series, number: book.number, volume: book.volume || null, year: book.year || null,
    title: match.title ?? null, cover_date: match.coverDate ?? null, described: 1,
  };
}

/** Whether a promise settles in time. */
export async function settlesWithin(promise: Promise<unknown>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), patienceMs)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

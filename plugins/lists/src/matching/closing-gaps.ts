import { foldTitle, systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ListRecords } from "../keeping/list-records.js";
import { listedTitles } from "./annual-names.js";
import type { LookingUp } from "./looking-up.js";

/** A scan changes series many times; what it brought is looked at this long after the first change. */
const restMs = 2_000;
/** More changed series than this are not looked up one by one: every unmatched book is tried. */
const mostSeries = 500;
const atOnce = 200;

export interface ClosingGapsParts {
  readonly library: CollectionContract;
  readonly records: ListRecords;
  readonly lookingUp: LookingUp;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Tries unmatched books again when series of their names come into the library or change there. Not a job: it only
 * compares names that are in the database, and the next change of a series repeats what a stop cut off.
 */
export class ClosingGaps implements Releasable {
  readonly #parts: ClosingGapsParts;
  readonly #changed = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #running = Promise.resolve();

  constructor(parts: ClosingGapsParts) {
    this.#parts = parts;
  }

  seriesChanged(seriesIds: readonly number[]): void {
    for (const id of seriesIds) this.#changed.add(id);
    if (this.#parts.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#running
        .then(() => this.#run())
        .catch((fault: unknown) => {
          if (!this.#parts.signal.aborted) this.#parts.log.warn("Unmatched books could not be tried again.", { fault });
        });
    }, restMs);
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { records, lookingUp, signal } = this.#parts;
    const seriesIds = [...this.#changed];
    this.#changed.clear();
    // Most servers have no unmatched books, and then a scan costs nothing here.
    if (!(await records.hasUnmatched())) return;
    const seriesKeys = seriesIds.length > mostSeries ? undefined : await this.#keysOf(seriesIds);
    for (let after = 0; ;) {
      if (signal.aborted) return;
      const books = await records.unmatchedAfter({ after, limit: atOnce, seriesKeys });
      const last = books.at(-1);
      if (!last) return;
      after = last.id;
      for (const [listId, some] of Map.groupBy(books, (book) => book.list_id)) await lookingUp.lookAgain(listId, some);
    }
  }

  /** The folded titles of series, aliases included. */
  async #keysOf(seriesIds: readonly number[]): Promise<readonly string[]> {
    const keys = new Set<string>();
    for (const id of seriesIds) {
      const series = await this.#parts.library.findSeries(id, systemViewer);
      const titles = series ? [series.title, ...series.aliases].flatMap(listedTitles) : [];
      for (const title of titles) keys.add(foldTitle(title));
    }
    return [...keys];
  }
}

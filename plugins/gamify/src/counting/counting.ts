import type { Issue } from "@longbox/collection/contract";
import type { HistoryEntry } from "@longbox/reading/contract";
import type { UserDays } from "../days/user-days.js";

/** What counts of a quarter of an hour's reading of one work. */
export interface Counted {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `2026-11-23`, the user's own. */
  readonly day: string;
  readonly issueId: number;
  readonly type: string;
  readonly pages: number;
  readonly seconds: number;
  readonly finished: number;
}

/** What counts at most on one day, so that a device cannot report a library as read in an hour. */
const perDay = { pages: 500, seconds: 12 * 3600, finished: 20 };
/** The length of works that the collection does not know, or knows no length of. */
const unknownPages = 1000;
const unknownSeconds = 100 * 3600;

interface Amount {
  pages: number;
  seconds: number;
  finished: number;
}

/**
 * Decides what of the reading history counts. A work counts once in each calendar year, up to its own length: reading
 * it again from the start, on another device or by a forged length adds nothing until the next year.
 *
 * @param history - Oldest first
 * @param works - The works that the collection knows
 */
export function count(history: readonly HistoryEntry[], works: ReadonlyMap<number, Issue>, days: UserDays): Counted[] {
  const [byWork, byDay] = [new Allowances(), new Allowances()];
  return history.flatMap((entry) => {
    const at = Date.parse(entry.quarter);
    const day = days.dayOf(at);
    const left = byWork.of(`${entry.issueId} ${day.slice(0, 4)}`, () => lengthOf(works.get(entry.issueId)));
    const today = byDay.of(day, () => ({ ...perDay }));
    const taken = take(entry, left, today);
    if (taken.pages + taken.seconds + taken.finished === 0) return [];
    return [{ at, day, issueId: entry.issueId, type: entry.type, ...taken }];
  });
}

/** Amounts that are used up. */
class Allowances {
  readonly #left = new Map<string, Amount>();

  of(key: string, whole: () => Amount): Amount {
    const known = this.#left.get(key);
    if (known) return known;
    const made = whole();
    this.#left.set(key, made);
    return made;
  }
}

function lengthOf(work: Issue | undefined): Amount {
  return { pages: work?.pages || unknownPages, seconds: work?.seconds || unknownSeconds, finished: 1 };
}

function take(entry: HistoryEntry, left: Amount, today: Amount): Amount {
  const taken = {
    pages: Math.min(entry.pages, left.pages, today.pages),
    seconds: Math.floor(Math.min(entry.seconds, left.seconds, today.seconds)),
    finished: Math.min(entry.finished, left.finished, today.finished),
  };
  for (const key of ["pages", "seconds", "finished"] as const) {
    left[key] -= taken[key];
    today[key] -= taken[key];
  }
  return taken;
}

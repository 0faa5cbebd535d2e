import type { DayActivity } from "../contract.js";
import { WrongField } from "../reading-errors.js";

const dayMs = 86_400_000;

export interface Amount {
  readonly pages: number;
  readonly seconds: number;
  readonly finished: number;
}

export interface AmountAt extends Amount {
  readonly at: number;
}

/**
 * Names the day on which an instant falls in a time zone: `2026-03-01`.
 * @throws {WrongField} when there is no such zone
 */
export function dayNamer(timeZone: string): (ms: number) => string {
  const format = formatFor(timeZone);
  return (ms) => format.format(ms);
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  } catch {
    throw new WrongField("timeZone", "must be a time zone such as Europe/Berlin");
  }
}

export function sumByDay(amounts: readonly AmountAt[], dayOf: (ms: number) => string): Map<string, Amount> {
  const days = new Map<string, Amount>();
  for (const { at, ...amount } of amounts) {
    const day = dayOf(at);
    days.set(day, added(days.get(day), amount));
  }
  return days;
}

export function added(one: Amount | undefined, other: Amount): Amount {
  return {
    pages: other.pages + (one?.pages ?? 0),
    seconds: other.seconds + (one?.seconds ?? 0),
    finished: other.finished + (one?.finished ?? 0),
  };
}

/** Consecutive days with reading. A streak that reached yesterday still counts, because today is not over. */
export function streaks(days: ReadonlyMap<string, Amount>, today: string): { current: number; longest: number } {
  let longest = 0;
  let length = 0;
  let previous: string | undefined;
  for (const [day, amount] of [...days].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (amount.pages + amount.seconds + amount.finished === 0) continue;
    length = previous !== undefined && dayAfter(previous) === day ? length + 1 : 1;
    longest = Math.max(longest, length);
    previous = day;
  }
  const stands = previous !== undefined && (previous === today || dayAfter(previous) === today);
  return { current: stands ? length : 0, longest };
}

/** The last days up to today, including days without reading. */
export function lastDays(days: ReadonlyMap<string, Amount>, today: string, count: number): DayActivity[] {
  const end = Date.parse(today);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 10);
    const { pages, seconds, finished } = days.get(day) ?? { pages: 0, seconds: 0, finished: 0 };
    return { day, pages, seconds, finished };
  });
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}

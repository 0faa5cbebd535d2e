import type { Counted } from "../counting/counting.js";
import { addDays, daysBetween } from "../days/calendar.js";

/** A freeze is earned by so many days of reading in one streak. */
const daysPerFreeze = 7;
/** How many can be held. */
export const mostFreezes = 2;
/** Less listening than a minute does not make a day of reading. */
const fewestSeconds = 60;

export interface Streak {
  /** The days of reading of the streak that stands; a day that a freeze bridged is not counted. */
  readonly days: number;
  readonly longest: number;
  readonly freezes: number;
  /** The days that freezes bridged, in every streak. */
  readonly frozen: ReadonlySet<string>;
  /** Each day of reading with the length of its streak. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** The days on which something was read. */
export function readingDays(counted: readonly Counted[]): string[] {
  const seconds = new Map<string, number>();
  for (const entry of counted) {
    const counts = entry.pages + entry.finished > 0 ? fewestSeconds : entry.seconds;
    seconds.set(entry.day, (seconds.get(entry.day) ?? 0) + counts);
  }
  return [...seconds]
    .filter(([, sum]) => sum >= fewestSeconds)
    .map(([day]) => day)
    .sort();
}

/**
 * The streak up to today. A missed day uses up a freeze; without one the streak ends. Freezes that could not have saved
 * the streak are kept. Today is not missed until it is over.
 *
 * @param days - Of reading, in order
 * @param bought - The days on which a freeze was bought, in order
 */
export function streakOf(days: readonly string[], bought: readonly string[], today: string): Streak {
  const walk = new Walk(bought);
  for (const day of days.filter((read) => read <= today)) walk.read(day);
  return walk.end(today);
}

class Walk {
  readonly #bought: string[];
  readonly #frozen = new Set<string>();
  readonly #lengths = new Map<string, number>();
  #last: string | undefined;
  #length = 0;
  #longest = 0;
  #freezes = 0;

  constructor(bought: readonly string[]) {
    this.#bought = [...bought];
  }

  read(day: string): void {
    if (this.#last !== undefined && !this.#bridge(this.#last, day)) this.#length = 0;
    this.#take(day);
    this.#length += 1;
    this.#longest = Math.max(this.#longest, this.#length);
    if (this.#length % daysPerFreeze === 0) this.#freezes = Math.min(mostFreezes, this.#freezes + 1);
    this.#lengths.set(day, this.#length);
    this.#last = day;
  }

  end(today: string): Streak {
    const stands = this.#last !== undefined && (this.#last === today || this.#bridge(this.#last, today));
    this.#take(today);
    return {
      days: stands ? this.#length : 0,
      longest: this.#longest,
      freezes: this.#freezes,
      frozen: this.#frozen,
      lengths: this.#lengths,
    };
  }

  /** Uses a freeze for each day between these. @returns whether there were enough */
  #bridge(from: string, to: string): boolean {
    const missed = daysBetween(from, to) - 1;
    const isLong = missed > mostFreezes + this.#bought.length;
    const needed = isLong ? [] : Array.from({ length: missed }, (_, index) => addDays(from, index + 1));
    let used = 0;
    let isBridged = !isLong;
    for (const day of needed) {
      this.#take(day);
      if (used < this.#freezes) used += 1;
      else isBridged = false;
    }
    if (!isBridged) return false;
    this.#freezes -= used;
    for (const day of needed) this.#frozen.add(day);
    return true;
  }

  /** Adds the freezes that were bought up to a day. */
  #take(day: string): void {
    while (this.#bought[0] !== undefined && this.#bought[0] <= day) {
      this.#bought.shift();
      this.#freezes += 1;
    }
  }
}

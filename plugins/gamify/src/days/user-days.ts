import { addDays, dayIn, startOfDay } from "./calendar.js";

/** From when on a user's days follow a time zone. */
export interface ZoneChange {
  readonly from: number;
  readonly timeZone: string;
}

interface Span {
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The days of one user. A change of the time zone applies from then on: earlier days stay the days that they were, so a
 * journey neither breaks a streak nor makes one.
 */
export class UserDays {
  readonly #changes: readonly ZoneChange[];
  #last: Span | undefined;

  /** @param changes - In order; before the first, days follow its time zone */
  constructor(changes: readonly ZoneChange[]) {
    this.#changes = changes;
  }

  /** The time zone at an instant. */
  zoneAt(ms: number): string {
    const change = this.#changes.findLast(({ from }) => from <= ms) ?? this.#changes[0];
    return change?.timeZone ?? "UTC";
  }

  dayOf(ms: number): string {
    const last = this.#last;
    if (last && ms >= last.from && ms < last.to) return last.day;
    const timeZone = this.zoneAt(ms);
    const day = dayIn(timeZone, ms);
    const nextZone = this.#changes.find(({ from }) => from > ms)?.from ?? Infinity;
    this.#last = { day, from: ms, to: Math.min(nextZone, startOfDay(timeZone, addDays(day, 1))) };
    return day;
  }

  today(): string {
    return this.dayOf(Date.now());
  }

  /** When a day that is still to come begins. */
  startOf(day: string): number {
    return startOfDay(this.zoneAt(Date.now()), day);
  }
}

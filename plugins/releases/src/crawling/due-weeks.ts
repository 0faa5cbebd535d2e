import { addWeeks, rangeOfWeek, weekOf } from "../weeks.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** After this a week that is over is not changed any more, or so rarely that a person may ask for it. */
const settledAfterMs = 7 * dayMs;

export interface WeekWindow {
  readonly today: string;
  readonly back: number;
  readonly ahead: number;
}

/** This week and the next first, then the others by how near they are. */
export function weeksInWindow({ today, back, ahead }: WeekWindow): string[] {
  const here = weekOf(today);
  const offsets = Array.from({ length: back + ahead + 1 }, (_, index) => index - back);
  const rank = (offset: number) => (offset >= 0 ? offset * 2 : -offset * 2 + 1);
  return offsets.toSorted((one, other) => rank(one) - rank(other)).map((offset) => addWeeks(here, offset));
}

/**
 * Whether a week should be asked for again: this week and the next once a day, later ones once a week, past ones until
 * a week after their end.
 * @param askedAt - milliseconds since 1970; undefined for a week that never was asked for
 */
export function isDue(week: string, askedAt: number | undefined, now: number): boolean {
  if (askedAt === undefined) return true;
  const range = rangeOfWeek(week);
  if (!range) return false;
  const [begins, ends] = [Date.parse(range.from), Date.parse(range.to) + dayMs];
  if (ends < now) return askedAt < ends + settledAfterMs && now - askedAt > 20 * hourMs;
  return now - askedAt > (begins - now < 7 * dayMs ? 20 * hourMs : 6 * dayMs);
}

/** A week as ISO 8601 counts them, from Monday to Sunday: `2026-W48`. Dates are days of the calendar, `2026-11-25`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
export const addDays = (day: string, days: number): string => dayOf(timeOf(day) + days * dayMs);

/** Monday is 0. */
const weekday = (day: string): number => (new Date(timeOf(day)).getUTCDay() + 6) % 7;

/** The week that holds a day. A week belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 3 - weekday(day));
  const year = thursday.slice(0, 4);
  const days = (timeOf(thursday) - timeOf(`${year}-01-01`)) / dayMs;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}

/** The month before or after, by how many: `2026-11`. */
export function addMonths(month: string, months: number): string {
  return dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + months)).slice(0, 7);
}

/** Whether it is a day that the calendar has. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeOf(text)) && dayOf(timeOf(text)) === text;

/** Monday to Sunday; undefined for a week that its year does not have, such as `2026-W54`. */
export function rangeOfWeek(week: string): Range | undefined {
  const [, year, number] = /^(\d{4})-W(\d\d)$/.exec(week) ?? [];
  if (year === undefined || number === undefined) return undefined;
  const fourth = `${year}-01-04`;
  const from = addDays(fourth, (Number(number) - 1) * 7 - weekday(fourth));
  return weekOf(from) === week ? { from, to: addDays(from, 6) } : undefined;
}

/** The first to the last day of `2026-11`; undefined for what is no month. */
export function rangeOfMonth(month: string): Range | undefined {
  const [, year, number] = /^(\d{4})-(\d\d)$/.exec(month) ?? [];
  if (year === undefined || Number(number) < 1 || Number(number) > 12) return undefined;
  return { from: `${month}-01`, to: dayOf(Date.UTC(Number(year), Number(number), 0)) };
}

export function addWeeks(week: string, weeks: number): string {
  const range = rangeOfWeek(week);
  if (!range) throw new RangeError(`${week} is not a week.`);
  return weekOf(addDays(range.from, weeks * 7));
}

/** The weeks that hold any day of the range, in order. */
export function weeksOf({ from, to }: Range): string[] {
  const weeks: string[] = [];
  for (let day = addDays(from, -weekday(from)); day <= to; day = addDays(day, 7)) weeks.push(weekOf(day));
  return weeks;
}

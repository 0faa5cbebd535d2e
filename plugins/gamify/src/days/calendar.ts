const dayMs = 86_400_000;
const quarterMs = 15 * 60_000;
/** Longer than the distance of any time zone from UTC. */
const furthestMs = 18 * 3_600_000;

/** `2026-11-23` and so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}

/** The Monday of the ISO week of a day. */
export function mondayOf(day: string): string {
  const weekday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** The ISO week of a day: `2026-W48`. The first week of a year is the one with its first Thursday. */
export function weekOf(day: string): string {
  const thursday = addDays(mondayOf(day), 3);
  const year = thursday.slice(0, 4);
  return `${year}-W${String(Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1).padStart(2, "0")}`;
}

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** Users name them, and a name can be spelled in thousands of ways: "europe/BERLIN" is accepted as well. */
const mostFormats = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day on which an instant falls in a time zone. @param timeZone - One that `isTimeZone` accepts */
export function dayIn(timeZone: string, ms: number): string {
  return (formats.get(timeZone) ?? remembered(timeZone)).format(ms);
}

function remembered(timeZone: string): Intl.DateTimeFormat {
  // "en-CA" writes 2026-11-23.
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  if (formats.size >= mostFormats) formats.delete(formats.keys().next().value!);
  formats.set(timeZone, format);
  return format;
}

/** The instant at which a day begins in a time zone: days begin on a quarter of an hour everywhere. */
export function startOfDay(timeZone: string, day: string): number {
  let [before, from] = [Date.parse(day) - furthestMs, Date.parse(day) + furthestMs];
  while (from - before > quarterMs) {
    const middle = before + Math.floor((from - before) / 2 / quarterMs) * quarterMs;
    if (dayIn(timeZone, middle) < day) before = middle;
    else from = middle;
  }
  return from;
}

/**
 * A date in the form of catalogs: `2019`, `2019-05` or `2019-05-01`. Undefined for an invalid date, since files may
 * contain any.
 */
export function dateOf(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text ?? "") ?? [];
  if (year === undefined || year === "0000") return undefined;
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return year;
  const isDay = day !== undefined && Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month));
  return isDay ? `${year}-${month}-${day}` : `${year}-${month}`;
}

/** The first day of such a date, for formats that know only days. */
export function firstDayOf(text: string | undefined): string | undefined {
  const date = dateOf(text);
  return date === undefined ? undefined : `${date}-01-01`.slice(0, 10);
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

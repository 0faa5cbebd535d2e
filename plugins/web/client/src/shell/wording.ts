const counting = new Intl.NumberFormat();
const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const months = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "long", timeZone: "UTC" });

export function count(value: number, one: string, many = `${one}s`): string {
  return `${counting.format(value)} ${value === 1 ? one : many}`;
}

export function number(value: number): string {
  return counting.format(value);
}

export function bytes(value: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return new Intl.NumberFormat(undefined, { style: "unit", unit: units[power] ?? "byte", unitDisplay: "narrow", maximumFractionDigits: power > 1 ? 1 : 0 }).format(value / 1000 ** power);
}

/** A day; dates of covers are often the first of a month and mean the month. */
export function coverMonth(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : months.format(date);
}

export function day(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : dates.format(date);
}

export function moment(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : moments.format(date);
}

/** `12` is shown as `#12`; names such as `Annual 1` stand as they are. */
export function issueNumber(text: string): string {
  return /^[-\d½¼¾.]/.test(text) ? `#${text}` : text;
}

/** Descriptions may hold sanitised HTML; here they are read as text. */
export function plainText(markup: string): string {
  const parsed = new DOMParser().parseFromString(markup.replaceAll(/<\/(p|div|li|h\d)>|<br\s*\/?>/gi, "\n"), "text/html");
  return (parsed.body.textContent ?? "").replaceAll(/\n{3,}/g, "\n\n").trim();
}

import { locale } from "../language/language.js";
import { t } from "../language/translate.js";

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const datesAlone = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const months = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 hours ago`, `in 5 minutes`. @param time - As the API says it: `2026-05-31T09:30:00.000Z`. */
export function fromNow(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), "second");
}

/** `45 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(rounded / 3_600), Math.floor((rounded % 3_600) / 60)];
  if (rounded < 60) return t(["kit:seconds", [["seconds"], " s"]], { seconds: rounded });
  if (rounded < 3_600)
    return t(["kit:minutes", [["minutes"], " min ", ["seconds"], " s"]], { minutes, seconds: rounded % 60 });
  return t(["kit:hours", [["hours"], " h ", ["minutes"], " min"]], { hours, minutes });
}

/**
 * `31 May 2026`: a date without a time of day, such as `2026-05-31`, or a time in the browser's time zone. Other text
 * is returned unchanged.
 */
export function day(text: string): string {
  if (isPartial(text)) return month(text);
  return readable(text, text.includes("T") ? days : datesAlone);
}

/** `2026` or `2026-05`: of some dates no more is known. */
const isPartial = (text: string) => /^\d{4}(?:-\d\d)?$/.test(text);

/** `May 2026`, from a date without a time of day; `2026` where the month is not known. */
export function month(text: string): string {
  if (/^\d{4}$/.test(text)) return text;
  return readable(text, months);
}

/** `31 May 2026, 09:30`, in the browser's time zone. */
export function moment(time: string): string {
  return readable(time, moments);
}

/** `09:30:05`, in the browser's time zone. */
export function clockTime(time: string): string {
  return readable(time, clock);
}

function readable(text: string, format: Intl.DateTimeFormat): string {
  const date = new Date(text);
  return Number.isNaN(date.valueOf()) ? text : format.format(date);
}

import type { WantedRow } from "./shapes.js";

const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const months = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const reasons = { monitored: "Monitored", picked: "Picked", list: "On a list", request: "Requested" } as const;

/** When it can be bought, or else the date on its cover. */
export function released(row: WantedRow): string | null {
  return row.storeDate ?? row.coverDate;
}

export function date(text: string): string {
  return readable(text, dates);
}

export function month(text: string): string {
  return readable(text, months);
}

function readable(text: string, format: Intl.DateTimeFormat): string {
  const moment = new Date(text);
  return Number.isNaN(moment.valueOf()) ? text : format.format(moment);
}

/** `#12`; what is no number stands as it is: `Annual 1`. */
export function issueNumber(number: string): string {
  return /^[\d.½¼¾∞-]/.test(number) ? `#${number}` : number;
}

export function why(row: WantedRow): string {
  return row.why === null ? "Not wanted" : reasons[row.why];
}

export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

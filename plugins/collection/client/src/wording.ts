import type { WantedRow } from "./shapes.js";

const reasons = { monitored: "Monitored", picked: "Picked", list: "On a list", request: "Requested" } as const;

/** When it can be bought, or else the date on its cover. */
export function released(row: WantedRow): string | null {
  return row.storeDate ?? row.coverDate;
}

/** `#12`; what is no number stands as it is: `Annual 1`. */
export function issueNumber(number: string): string {
  return /^[\d.½¼¾∞-]/.test(number) ? `#${number}` : number;
}

export function why(row: WantedRow): string {
  return row.why === null ? "Not wanted" : reasons[row.why];
}

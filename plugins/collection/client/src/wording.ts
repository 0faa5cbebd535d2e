import type { WantedRow } from "@longbox/collection/api";

const reasons = { monitored: "Monitored", picked: "Picked", list: "On a list", request: "Requested" } as const;

/** When it can be bought, or else the date on its cover. */
export function released(row: WantedRow): string | null {
  return row.storeDate ?? row.coverDate;
}

export function why(row: WantedRow): string {
  return row.why === null ? "Not wanted" : reasons[row.why];
}

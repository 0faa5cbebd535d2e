import { t } from "@longbox/sdk/ui";
import type { WantedRow } from "@longbox/collection/api";

const reasons = {
  monitored: t("wording.monitored"),
  picked: t("wording.picked"),
  list: t("wording.onAList"),
  request: t("wording.requested"),
} as const;

/** When it can be bought, or else the date on its cover. */
export function released(row: WantedRow): string | null {
  return row.storeDate ?? row.coverDate;
}

export function why(row: WantedRow): string {
  return row.why === null ? t("wording.notWanted") : reasons[row.why];
}

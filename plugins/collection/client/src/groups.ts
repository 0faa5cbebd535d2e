import { month, t } from "@longbox/sdk/ui";
import type { WantedRow } from "@longbox/collection/api";
import type { Order } from "./question.js";
import { released } from "./wording.js";

/** Rows that stand under one heading: those of a series, or, in order of date, those of a month. */
export interface Group {
  readonly key: string;
  readonly heading: string;
  /** The series that the heading names. */
  readonly seriesId: number | undefined;
  readonly rows: readonly WantedRow[];
}

export function grouped(rows: readonly WantedRow[], sort: Order): readonly Group[] {
  const byDate = sort === "newest" || sort === "oldest";
  const groups: Array<Group & { rows: WantedRow[] }> = [];
  for (const row of rows) {
    const key = byDate ? (released(row)?.slice(0, 7) ?? "") : String(row.seriesId);
    const last = groups.at(-1);
    if (last?.key === key) last.rows.push(row);
    else
      groups.push({
        key,
        heading: byDate ? headingOf(row) : row.series,
        seriesId: byDate ? undefined : row.seriesId,
        rows: [row],
      });
  }
  return groups;
}

function headingOf(row: WantedRow): string {
  const when = released(row);
  return when === null ? t("groups.noKnownDate") : month(when);
}

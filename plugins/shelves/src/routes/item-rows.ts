import type { Recommended } from "../browsing/recommending.js";
import type { ShelfItem } from "../browsing/browsing.js";
import type { recommendedSchema, ShownItem } from "../shapes.js";
import type { z } from "zod";

/** An item as clients see it. */
export function toRow({ issue, state, stars }: ShelfItem): ShownItem {
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    seriesId: issue.seriesId,
    series: issue.seriesTitle,
    number: issue.number,
    title: issue.title ?? null,
    label: { full: issue.label.full, short: issue.label.short, within: issue.label.within ?? null },
    publisher: issue.publisher ?? null,
    coverDate: issue.coverDate ?? null,
    type: issue.type,
    owned: issue.owned,
    corrupt: issue.corrupt,
    pages: issue.pages,
    seconds: issue.seconds ?? null,
    addedAt: issue.addedAt,
    cover: `/api/issue/${issue.cvIssueId}/cover`,
    read: state === undefined ? "unread" : state.completed ? "read" : "reading",
    fraction: state?.fraction ?? 0,
    rating: stars,
  };
}

export function toRecommended({ because, items }: Recommended): z.output<typeof recommendedSchema> {
  const { cvIssueId, seriesId, seriesTitle, label } = because;
  return {
    because: { cvIssueId, seriesId, series: seriesTitle, label: label.full },
    items: items.map((item) => ({
      ...toRow(item),
      shared: item.shared.map(({ facet, label: name }) => ({ facet, label: name })),
      reason: item.shared.map(({ label: name }) => name).join(", "),
    })),
  };
}

import type { Card, ClientBadge } from "@longbox/sdk/ui";
import type { ShelfItem } from "@longbox/shelves/api";

/** The cover of an item, under the name of its series. */
export function itemCard(item: ShelfItem, badges: readonly ClientBadge[] = [], note?: string): Card {
  const { label } = item;
  const isNumbered = label.short !== label.full;
  return {
    href: `/issue/${item.cvIssueId}`,
    cover: item.cover,
    title: isNumbered ? item.series : label.full,
    note: note ?? [isNumbered ? label.short : label.within, item.owned ? "" : "missing"].filter(Boolean).join(" · "),
    sleeve: item.series,
    number: label.short,
    badges,
    isMissing: !item.owned,
    problem: item.corrupt ? "damaged" : undefined,
  };
}

import { type LongboxClient, type OfferedAction, t } from "@longbox/sdk/ui";
import { issueLabel } from "@longbox/collection/client";
import type { ImportOutcome, Item, ListRow, WantOutcome } from "@longbox/lists/api";

/** The name of an item in the words of its type, such as `Moth Patrol #12`; an unknown one is named by its id. */
export function nameOf(item: Pick<Item, "series" | "number" | "cvIssueId" | "label">): string {
  if (item.label) return item.label.full;
  return item.series === null
    ? t("wording.item", { cvIssueId: String(item.cvIssueId) })
    : `${item.series} ${issueLabel(item.number)}`.trim();
}

/** The line below a list's name. */
export function facts(list: Pick<ListRow, "owned" | "read"> & { readonly total: number }): string {
  if (list.total === 0) return t("wording.empty");
  const owned =
    list.owned === list.total
      ? t("wording.itemsAllOwned", { total: list.total })
      : t("wording.ofItemsOwned", { owned: list.owned, total: list.total });
  return list.read ? t("wording.read", { owned, read: list.read }) : owned;
}

/** Short facts about one thing, in a row. */
export function joined(parts: ReadonlyArray<string | false>): string {
  return parts.filter(Boolean).join(" · ");
}

export function imported({ imported: found, total, jobId }: ImportOutcome): string {
  if (jobId !== undefined) return t("wording.ofOtherFoundSo", { found, total });
  return found === total ? t("wording.allItemsWereFound", { total }) : t("wording.ofItemsWereFound", { found, total });
}

export function wanted({ added, picked, failed, running }: WantOutcome): string {
  const parts = [t("wording.itemsAreWanted", { picked })];
  if (added > 0) parts.push(t("wording.seriesWereAdded", { added }));
  if (failed > 0) parts.push(t("wording.failed", { failed }));
  const outcome = parts.join(", ");
  return running ? t("wording.soFarTheRest", { outcome }) : `${outcome}.`;
}

/** The primary action of a plugin that opens the issue, such as a link to a reader; undefined when there is none. */
export function readingOf(longbox: LongboxClient, item: Item): OfferedAction | undefined {
  if (!item.owned) return undefined;
  const offered = longbox.actions({ kind: "issue", items: [{ ...item, reading: item.read ? "read" : "unread" }] });
  return offered.find(({ isPrimary, href }) => isPrimary && href !== undefined);
}

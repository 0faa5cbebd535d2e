import { count, number, type LongboxClient, type OfferedAction } from "@longbox/sdk/ui";
import { issueLabel } from "@longbox/collection/client";
import type { ImportOutcome, Item, ListRow, WantOutcome } from "@longbox/lists/api";

/** The name of an item in the words of its type, such as `Moth Patrol #12`; an unknown one is named by its id. */
export function nameOf(item: Pick<Item, "series" | "number" | "cvIssueId" | "label">): string {
  if (item.label) return item.label.full;
  return item.series === null ? `Item ${item.cvIssueId}` : `${item.series} ${issueLabel(item.number)}`.trim();
}

/** The line below a list's name. */
export function facts(list: Pick<ListRow, "owned" | "read"> & { readonly total: number }): string {
  if (list.total === 0) return "Empty";
  const owned =
    list.owned === list.total
      ? `${count(list.total, "item")}, all owned`
      : `${number(list.owned)} of ${count(list.total, "item")} owned`;
  return list.read ? `${owned} · ${number(list.read)} read` : owned;
}

export function imported({ imported: found, total, jobId }: ImportOutcome): string {
  if (jobId !== undefined)
    return `${number(found)} of ${count(total, "item was", "items were")} found so far; the others are being looked up.`;
  return found === total
    ? `All ${count(total, "item was", "items were")} found.`
    : `${number(found)} of ${count(total, "item was", "items were")} found.`;
}

export function wanted({ added, picked, failed, running }: WantOutcome): string {
  const parts = [`${count(picked, "item is", "items are")} wanted`];
  if (added > 0) parts.push(`${count(added, "series was", "series were")} added`);
  if (failed > 0) parts.push(`${number(failed)} failed`);
  return `${parts.join(", ")}${running ? " so far; the rest continues in the background" : ""}.`;
}

/** The primary action of a plugin that opens the issue, such as a link to a reader; undefined when there is none. */
export function readingOf(longbox: LongboxClient, item: Item): OfferedAction | undefined {
  if (!item.owned) return undefined;
  const offered = longbox.actions({ kind: "issue", items: [{ ...item, reading: item.read ? "read" : "unread" }] });
  return offered.find(({ isPrimary, href }) => isPrimary && href !== undefined);
}

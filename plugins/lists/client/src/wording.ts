import { count, number, type LongboxClient, type OfferedAction } from "@longbox/sdk/ui";
import { issueLabel } from "@longbox/collection/client";
import type { ImportOutcome, Item, ListRow, WantOutcome } from "@longbox/lists/api";

/** `Moth Patrol #12`; an issue of which nothing is known yet goes by its id. */
export function nameOf(item: Pick<Item, "series" | "number" | "cvIssueId" | "label">): string {
  if (item.label) return item.label.full;
  return item.series === null ? `Issue ${item.cvIssueId}` : `${item.series} ${issueLabel(item.number)}`.trim();
}

/** What stands under a list's name. */
export function facts(list: Pick<ListRow, "owned" | "read"> & { readonly total: number }): string {
  if (list.total === 0) return "Empty";
  const owned =
    list.owned === list.total
      ? `${count(list.total, "issue")}, all here`
      : `${number(list.owned)} of ${count(list.total, "issue")} here`;
  return list.read ? `${owned} · ${number(list.read)} read` : owned;
}

export function imported({ imported: found, total, jobId }: ImportOutcome): string {
  if (jobId !== undefined)
    return `${number(found)} of ${count(total, "issue was", "issues were")} found so far; the others are being looked up.`;
  return found === total
    ? `All ${count(total, "issue was", "issues were")} found.`
    : `${number(found)} of ${count(total, "issue was", "issues were")} found.`;
}

export function wanted({ added, picked, failed, running }: WantOutcome): string {
  const parts = [`${count(picked, "issue is", "issues are")} wanted`];
  if (added > 0) parts.push(`${count(added, "series was", "series were")} added`);
  if (failed > 0) parts.push(`${number(failed)} could not be`);
  return `${parts.join(", ")}${running ? " so far; the rest goes on by itself" : ""}.`;
}

/** What plugins offer to read the issue with, such as a link to a reader; undefined where none can. */
export function readingOf(longbox: LongboxClient, item: Item): OfferedAction | undefined {
  if (!item.owned) return undefined;
  const offered = longbox.actions({ kind: "issue", items: [{ ...item, reading: item.read ? "read" : "unread" }] });
  return offered.find(({ isPrimary, href }) => isPrimary && href !== undefined);
}

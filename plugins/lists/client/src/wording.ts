import type { ImportOutcome, Item, ListRow, WantOutcome } from "./shapes.js";

const months = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });

export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export function month(date: string): string {
  const moment = new Date(date);
  return Number.isNaN(moment.valueOf()) ? date : months.format(moment);
}

/** `#12`; what is no number stands as it is: `Annual 1`. */
export function issueNumber(number: string | null): string {
  if (number === null || number === "") return "";
  return /^[\d.½¼¾∞-]/.test(number) ? `#${number}` : number;
}

/** `Moth Patrol #12`; an issue of which nothing is known yet goes by its id. */
export function nameOf(item: Pick<Item, "series" | "number" | "cvIssueId">): string {
  return item.series === null ? `Issue ${item.cvIssueId}` : `${item.series} ${issueNumber(item.number)}`.trim();
}

/** What stands under a list's name. */
export function facts(list: Pick<ListRow, "owned" | "read"> & { readonly total: number }): string {
  if (list.total === 0) return "Empty";
  const owned = list.owned === list.total ? `${counted(list.total, "issue", "issues")}, all here` : `${list.owned.toLocaleString()} of ${counted(list.total, "issue", "issues")} here`;
  return list.read ? `${owned} · ${list.read.toLocaleString()} read` : owned;
}

export function imported({ imported: found, total, jobId }: ImportOutcome): string {
  if (jobId !== undefined) return `${found.toLocaleString()} of ${counted(total, "issue was", "issues were")} found so far; the others are being looked up.`;
  return found === total ? `All ${counted(total, "issue was", "issues were")} found.` : `${found.toLocaleString()} of ${counted(total, "issue was", "issues were")} found.`;
}

export function wanted({ added, picked, failed, running }: WantOutcome): string {
  const parts = [`${counted(picked, "issue is", "issues are")} wanted`];
  if (added > 0) parts.push(`${counted(added, "series was", "series were")} added`);
  if (failed > 0) parts.push(`${failed.toLocaleString()} could not be`);
  return `${parts.join(", ")}${running ? " so far; the rest goes on by itself" : ""}.`;
}

import type { Issue } from "./contract.js";
import type { IssueRow } from "./shapes.js";
import type { FileTable, IssueTable } from "./tables.js";

/** An issue with what its series says of it. */
export type IssueRecord = IssueTable & { series_title: string; series_publisher: string | null; series_type: string; series_hidden: number; series_monitor: string };

export const publicIssueId = (row: Pick<IssueTable, "id" | "cv_issue_id">): number => row.cv_issue_id ?? -row.id;
export const issueCover = (row: Pick<IssueTable, "id" | "cv_issue_id">): string => `/api/issue/${publicIssueId(row)}/cover`;

type Why = IssueRow["why"];
export function whyWanted(row: Pick<IssueTable, "wanted" | "pick" | "pick_why">): Why {
  if (row.wanted === 0) return null;
  return row.pick === 1 ? ((row.pick_why ?? "picked") as Why) : "monitored";
}

export function toIssue(row: IssueRecord): Issue {
  return {
    id: row.id, cvIssueId: publicIssueId(row), seriesId: row.series_id, seriesTitle: row.series_title, publisher: row.series_publisher ?? undefined, number: row.number, kind: row.kind as Issue["kind"],
    title: row.title ?? undefined, coverDate: row.cover_date ?? undefined, owned: row.owned === 1, corrupt: row.corrupt === 1, pages: row.pages, type: row.series_type,
    restricted: row.series_hidden === 1, addedAt: row.owned_at ?? row.added_at,
  };
}

export function toIssueRow(row: IssueTable, files: readonly FileTable[], showPaths: boolean): IssueRow {
  const owned = row.owned === 1;
  return {
    id: row.id, cvIssueId: publicIssueId(row), seriesId: row.series_id, number: row.number, kind: row.kind, title: row.title, coverDate: row.cover_date, storeDate: row.store_date,
    owned, corrupt: row.corrupt === 1, tagged: row.tagged === 1, wanted: row.wanted === 1, why: whyWanted(row),
    pick: row.pick === null ? null : row.pick === 1, reason: row.pick_reason,
    status: row.corrupt === 1 ? "corrupt" : owned ? "owned" : row.wanted === 1 ? "wanted" : "missing",
    pages: row.pages, cover: issueCover(row), files: files.map((file) => toHoldingRow(file, showPaths)),
  };
}

export function toHoldingRow(file: FileTable, showPath: boolean): IssueRow["files"][number] {
  return {
    name: file.name, ...(showPath ? { path: file.path } : {}), size: file.size, pages: file.pages, valid: file.valid === 1, tagged: file.tagged === 1,
    ...(file.error === null ? {} : { error: file.error }), assigned: file.assigned === 1,
  };
}

import type { Issue, IssueLabel } from "../contract.js";
import type { LibraryTypeList } from "../libraries/library-types.js";
import { labelOf } from "./issue-labels.js";
import type { IssueRow, SeriesDocument } from "../answers/shapes.js";
import type { FileTable, IssueTable } from "../tables.js";

/** An issue with what its series says of it. */
export type IssueRecord = IssueTable & {
  series_title: string;
  series_publisher: string | null;
  series_type: string;
  series_hidden: number;
  series_monitor: string;
  series_library_id: number | null;
  series_year: number | null;
};

/** An issue with the parts of its name. */
export type NamedIssueRow = IssueTable & Pick<IssueRecord, "series_title" | "series_type">;

export const publicIssueId = (row: Pick<IssueTable, "id" | "cv_issue_id">): number => row.cv_issue_id ?? -row.id;
/** The page that a person chose is in the address, so that what browsers keep of another one is not shown. */
export const issueCover = (row: Pick<IssueTable, "id" | "cv_issue_id" | "cover_page">): string =>
  `/api/issue/${publicIssueId(row)}/cover${row.cover_page === null ? "" : `?page=${row.cover_page}`}`;
/** Whose cover is shown, and which page of it. */
export const coveredIssue = (row: Pick<IssueTable, "id" | "cv_issue_id" | "cover_page">) => ({
  issueId: row.id,
  cvIssueId: publicIssueId(row),
  page: row.cover_page ?? undefined,
});

type Why = IssueRow["why"];
export function whyWanted(row: Pick<IssueTable, "wanted" | "pick" | "pick_why">): Why {
  if (row.wanted === 0) return null;
  return row.pick === 1 ? ((row.pick_why ?? "picked") as Why) : "monitored";
}

/** Turns rows into what others see of issues, in the words of their types. */
export class IssueShapes {
  constructor(private readonly types: LibraryTypeList) {}

  toIssue(row: IssueRecord): Issue {
    return {
      id: row.id,
      cvIssueId: publicIssueId(row),
      seriesId: row.series_id,
      seriesTitle: row.series_title,
      publisher: row.series_publisher ?? undefined,
      number: row.number,
      kind: row.kind as Issue["kind"],
      title: row.title ?? undefined,
      label: this.#label(row),
      coverDate: row.cover_date ?? undefined,
      owned: row.owned === 1,
      corrupt: row.corrupt === 1,
      pages: row.pages,
      seconds: row.seconds ?? undefined,
      language: row.language ?? undefined,
      type: row.series_type,
      restricted: row.series_hidden === 1,
      addedAt: row.owned_at ?? row.added_at,
    };
  }

  toRow(row: NamedIssueRow, files: readonly FileTable[], showPaths: boolean): IssueRow {
    const owned = row.owned === 1;
    return {
      id: row.id,
      cvIssueId: publicIssueId(row),
      seriesId: row.series_id,
      number: row.number,
      kind: row.kind,
      title: row.title,
      label: shownLabel(this.#label(row)),
      coverDate: row.cover_date,
      storeDate: row.store_date,
      owned,
      corrupt: row.corrupt === 1,
      tagged: row.tagged === 1,
      wanted: row.wanted === 1,
      why: whyWanted(row),
      pick: row.pick === null ? null : row.pick === 1,
      reason: row.pick_reason,
      status: row.corrupt === 1 ? "corrupt" : owned ? "owned" : row.wanted === 1 ? "wanted" : "missing",
      type: row.series_type,
      format: files.find((file) => file.valid === 1)?.format ?? null,
      pages: row.pages,
      seconds: row.seconds,
      cover: issueCover(row),
      files: files.map((file) => toHoldingRow(file, showPaths)),
    };
  }

  /** Another number when the same rows may be shaped in other words. */
  get version(): number {
    return this.types.version;
  }

  /** What one issue of a type is called, and several. */
  unitOf(type: string): SeriesDocument["unit"] {
    return this.types.wordsOf(type).unit;
  }

  #label(row: NamedIssueRow): IssueLabel {
    const named = { seriesTitle: row.series_title, number: row.number, title: row.title ?? undefined };
    return labelOf(named, this.types.wordsOf(row.series_type));
  }
}

/** A label as clients see it. */
export function shownLabel({ full, short, within }: IssueLabel): IssueRow["label"] {
  return { full, short, within: within ?? null };
}

export function toHoldingRow(file: FileTable, showPath: boolean): IssueRow["files"][number] {
  return {
    name: file.name,
    ...(showPath ? { path: file.path } : {}),
    size: file.size,
    format: file.format,
    pages: file.pages - file.hidden_pages,
    seconds: file.seconds,
    valid: file.valid === 1,
    tagged: file.tagged === 1,
    ...(file.error === null ? {} : { error: file.error }),
    assigned: file.assigned === 1,
  };
}

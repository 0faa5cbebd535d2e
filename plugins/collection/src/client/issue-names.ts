import type { IssueRow } from "../api.js";

/** How an issue is named on a page or in a list of its own series. */
export interface IssueNames {
  /** `#3 Low Water`, or of what is known by its title `The Salt Road`. */
  readonly heading: string;
  /** What stands above it: its series, and its place there; undefined where that says nothing new. */
  readonly above: string | undefined;
}

/** @param seriesTitle - Stands above what is known by its number */
export function issueNames({ label, title }: Pick<IssueRow, "label" | "title">, seriesTitle: string): IssueNames {
  if (label.short === title) return { heading: title, above: label.within ?? undefined };
  return { heading: [label.short, title].filter(Boolean).join(" "), above: seriesTitle };
}

import type { IssueLabel, LibraryTypeWords } from "../contract.js";
import { numberLabel } from "./number-label.js";

/** What an issue is named by. */
export interface LabelledIssue {
  readonly seriesTitle: string;
  readonly number: string;
  readonly title: string | undefined;
}

/**
 * Names an issue as people of its kind of library would: `Moth Patrol #3`, or for works that are known by their titles
 * `The Salt Road`. A work known by its title that has none, or that of its series, is named by its place in the series.
 */
export function labelOf({ seriesTitle, number, title }: LabelledIssue, words: LibraryTypeWords): IssueLabel {
  const place = placeOf(number, words);
  if (words.named === "by-title") return byTitle(title, seriesTitle, place);
  return { full: joined(seriesTitle, place, " "), short: place === "" ? seriesTitle : place, within: title };
}

function byTitle(title: string | undefined, seriesTitle: string, place: string): IssueLabel {
  const inSeries = joined(seriesTitle, place, ", ");
  if (title === undefined || title === "") return { full: inSeries, short: inSeries, within: undefined };
  if (title === seriesTitle) return { full: title, short: title, within: undefined };
  return { full: title, short: title, within: inSeries };
}

/** Works known by their titles are counted in words: `book 2`. */
function placeOf(number: string, { named, unit }: LibraryTypeWords): string {
  const label = numberLabel(number);
  return named === "by-title" && label !== number ? `${unit.one} ${number}` : label;
}

function joined(left: string, right: string, by: string): string {
  return right === "" ? left : `${left}${by}${right}`;
}

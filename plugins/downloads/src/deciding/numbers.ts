import { foldIssueNumber, kindOfSeries, type Issue } from "@longbox/collection/contract";
import type { ParsedName } from "@longbox/files/contract";
import { foldTitle } from "@longbox/sdk";

/** The issues that a number in a title means: one, or those of a range such as `1-6`. */
export function issuesIn(number: string | undefined, issues: readonly Issue[]): readonly Issue[] {
  if (number === undefined) return [];
  const range = rangeOf(number);
  if (!range) {
    const key = foldIssueNumber(number);
    return issues.filter((issue) => foldIssueNumber(issue.number) === key);
  }
  return issues.filter((issue) => {
    const value = Number(issue.number);
    return issue.kind === "issue" && issue.number !== "" && value >= range.first && value <= range.last;
  });
}

/** `1-6`, `001 - 006`; undefined for what is one number. */
export function rangeOf(number: string): { readonly first: number; readonly last: number } | undefined {
  const [, first, last] = /^#?(\d{1,5})\s*[-–—]\s*#?(\d{1,5})$/u.exec(number.trim()) ?? [];
  if (first === undefined || last === undefined || Number(first) >= Number(last)) return undefined;
  return { first: Number(first), last: Number(last) };
}

/**
 * A name as a series of annuals or specials understands it: providers keep `Moth Patrol Annual` as a series with plain
 * numbers, while the reader of names says that it is the annual of `Moth Patrol`.
 * @param titles - All titles of the series, the one that is shown first
 */
export function asCalledIn(titles: readonly string[], parsed: ParsedName): ParsedName {
  const { series, number = "", kind } = parsed;
  if (series === undefined || kind === "issue") return parsed;
  const isAnnualOf = (title: string) =>
    kindOfSeries(title) === kind && foldTitle(title).startsWith(`${foldTitle(series)} `);
  const title = titles.find((each) => foldTitle(each) === foldTitle(series) && kindOfSeries(each) === kind);
  const called = title ?? titles.find(isAnnualOf);
  return called === undefined
    ? parsed
    : { ...parsed, series: called, number: number.replace(/^(?:Annual|Special)\s*/u, "") };
}

import { foldIssueNumber, type Issue } from "@longbox/collection/contract";

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

import { foldTitle } from "@longbox/sdk";
import type { IssueDetail } from "../issues/issue-contract.js";
import type { IssueRecord } from "../issues/issue-shape.js";

/** An issue with what decides whether another is the same work. */
export interface Form {
  readonly issue: IssueRecord;
  readonly detail: IssueDetail | undefined;
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** Their values are given to one text, or to one edition of it. */
const workSchemes = ["openlibrary", "isbn", "asin"] as const;
/** Titles with these words stand for other than the whole text. */
const partial =
  /\b(?:abridged|excerpts?|sample|omnibus|box(?:ed)? set|collection|trilogy|summary|dramati[sz]ed|radio play)\b/;

/** An id that both have: `openlibrary OL1W`. */
export function sharedId(one: Form, other: Form): string | undefined {
  for (const scheme of workSchemes) {
    const theirs = new Set(other.ids[scheme]);
    const value = one.ids[scheme]?.find((own) => theirs.has(own));
    if (value !== undefined) return `${scheme} ${value}`;
  }
  return undefined;
}

/** The same title and an author in common, and nothing that speaks against it. */
export function isSameText(one: Form, other: Form): boolean {
  if (titleOf(one) !== titleOf(other) || partial.test(titleOf(one)) || !haveAuthorInCommon(one, other)) return false;
  const languages = [one, other].map(({ issue }) => issue.language?.toLowerCase().split("-", 1)[0]);
  if (languages[0] && languages[1] && languages[0] !== languages[1]) return false;
  const numbers = [one, other].map(({ issue }) => issue.number);
  const isOneSeries = foldTitle(one.issue.series_title) === foldTitle(other.issue.series_title);
  if (isOneSeries && numbers[0] !== "" && numbers[1] !== "" && numbers[0] !== numbers[1]) return false;
  const works = [one, other].map(({ ids }) => ids["openlibrary"]?.filter((id) => id.endsWith("W")) ?? []);
  return works.some((known) => known.length === 0);
}

const titleOf = ({ issue }: Form): string => foldTitle(issue.title ?? issue.series_title);

function haveAuthorInCommon(one: Form, other: Form): boolean {
  const authors = new Set(authorsOf(one));
  return authorsOf(other).some((name) => authors.has(name));
}

const authorsOf = ({ detail }: Form): string[] =>
  (detail?.credits ?? []).filter(({ role }) => /^(?:author|writer)$/i.test(role)).map(({ name }) => nameKey(name));

/** `Quill, Ada` is `Ada Quill`. */
export function nameKey(name: string): string {
  const [last, first, ...rest] = name.split(",");
  return foldTitle(first !== undefined && rest.length === 0 ? `${first} ${last}` : name);
}

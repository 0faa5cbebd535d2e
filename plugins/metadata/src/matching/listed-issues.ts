import { foldTitle } from "@longbox/sdk";
import { foldIssueNumber, type IssueEvidence, type ProviderIssue } from "@longbox/collection/contract";
import type { SourceVolume } from "../contract.js";
import { unknown, type Part } from "./parts.js";
import type { UnderstoodSeries } from "./understanding.js";

type Listed = Pick<SourceVolume, "issues">;
type Pair = readonly [own: IssueEvidence, listed: ProviderIssue];

/** Providers learn of the newest issues days after they are published. */
const mostNew = 2;

/** Which owned numbers the volume has. This holds with any numbering: a volume may begin at 700. */
export function judgeListedNumbers({ issues, isOneShot }: UnderstoodSeries, { issues: listed }: Listed): Part {
  if (isOneShot && listed.length === 1) return { points: 10, verdict: "for", reason: "one issue, as here" };
  if (issues.length === 0 || listed.length === 0 || isOneShot) return unknown;
  const there = new Set(listed.map(({ number }) => numberKey(number)));
  const missing = issues.filter(({ number }) => !there.has(numberKey(number)));
  if (missing.length === 0) return { points: 10, verdict: "for", reason: "issue numbers fit" };
  const highest = Math.max(...listed.map(({ number }) => Number.parseFloat(number)).filter(Number.isFinite));
  const isNewest = missing.length <= mostNew && missing.every(({ number }) => isNext(number, highest));
  const named = missing
    .slice(0, 3)
    .map(({ number }) => number)
    .join(", ");
  const reason = `the volume does not have number ${named}${missing.length > 3 ? " and others" : ""}`;
  return isNewest ? { points: -5, verdict: "open", reason } : { points: -20, verdict: "against", reason };
}

function isNext(number: string, highest: number): boolean {
  const distance = Number.parseFloat(number) - highest;
  return distance > 0 && distance <= mostNew;
}

/** Whether the owned issues are from the years in which the volume's issues of their numbers were published. */
export function judgeDates(series: UnderstoodSeries, volume: Listed): Part {
  const distances = pairs(series, volume).flatMap(([own, { coverDate, storeDate }]) => {
    const theirs = [coverDate, storeDate].flatMap((date) => (date === undefined ? [] : [Number(date.slice(0, 4))]));
    if (own.year === undefined || theirs.length === 0) return [];
    return [Math.min(...theirs.map((year) => Math.abs(year - own.year!)))];
  });
  if (distances.length === 0) return unknown;
  const far = distances.filter((distance) => distance > 1).length;
  if (far > 0) return { points: -20, verdict: "against", reason: `${far} issues are of other years` };
  const exact = distances.filter((distance) => distance === 0).length;
  return exact * 2 >= distances.length
    ? { points: 15, verdict: "for", reason: `${exact} issues are of the same years` }
    : { points: 5, verdict: "open", reason: "the years of issues differ by one" };
}

/** One equal title may be chance, such as "Part One". */
const fewestTitles = 2;

/** Whether issues are called what the volume's issues of their numbers are called. */
export function judgeTitles(series: UnderstoodSeries, volume: Listed): Part {
  const compared = pairs(series, volume).filter(([own, { title }]) => own.title !== undefined && title !== undefined);
  const same = compared.filter(([own, { title }]) => foldTitle(own.title!) === foldTitle(title!));
  if (new Set(same.map(([{ title }]) => foldTitle(title!))).size >= fewestTitles && same.length * 2 >= compared.length)
    return { points: 20, verdict: "for", reason: `${same.length} titles of issues are the same` };
  if (compared.length < fewestTitles) return unknown;
  return {
    points: same.length === 0 ? -10 : 5,
    verdict: "open",
    reason: `${same.length} of ${compared.length} titles of issues are the same`,
  };
}

/** The owned issues with those of their numbers that the volume lists. */
export function pairs({ issues }: UnderstoodSeries, { issues: listed }: Listed): Pair[] {
  const byNumber = new Map(listed.toReversed().map((issue) => [numberKey(issue.number), issue]));
  return issues.flatMap((own): Pair[] => {
    const theirs = byNumber.get(numberKey(own.number));
    return theirs ? [[own, theirs]] : [];
  });
}

const numberKey = (number: string) => foldIssueNumber(number.replace(/^(?:Annual|Special)\s*/i, ""));

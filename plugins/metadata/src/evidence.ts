import { foldTitle, foldWords } from "@longbox/sdk";
import type { SeriesEvidence } from "@longbox/collection/contract";
import type { VolumeSummary } from "./contract.js";

export interface Judgement {
  /** 0 to 100. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** Title and year are equal, the numbers match, and nothing contradicts it. */
  readonly exact: boolean;
}

/** How well a volume matches a series, with reasons. */
export function judge(series: SeriesEvidence, volume: VolumeSummary): Judgement {
  const title = judgeTitle(series, volume);
  const year = judgeYear(series.year, volume.startYear);
  const numbers = judgeNumbers(series.numbers, volume.issueCount);
  const publisher = judgePublisher(series.publisher, volume.publisher);
  const parts = [title, year, numbers, publisher];
  return {
    score: Math.max(
      0,
      Math.min(
        100,
        parts.reduce((sum, part) => sum + part.points, 0),
      ),
    ),
    reasons: parts.flatMap((part) => part.reason ?? []),
    exact: title.points === 50 && year.points === 30 && numbers.points >= 0 && publisher.points >= 0,
  };
}

/** The certain match, or undefined: then the user decides. */
export function findCertain<T extends { readonly judgement: Judgement }>(candidates: readonly T[]): T | undefined {
  const exact = candidates.filter((candidate) => candidate.judgement.exact);
  return exact.length === 1 ? exact[0] : undefined;
}

interface Part {
  readonly points: number;
  readonly reason?: string;
}

function judgeTitle(series: SeriesEvidence, volume: VolumeSummary): Part {
  const own = foldTitle(series.title);
  if (own === foldTitle(volume.name)) return { points: 50, reason: "same title" };
  const names = new Set([volume.name, ...volume.aliases].map(foldTitle));
  if ([own, ...series.aliases.map(foldTitle)].some((name) => names.has(name)))
    return { points: 40, reason: "same title as an alias" };
  const shared = overlap(own.split(" "), foldTitle(volume.name).split(" "));
  return shared >= 0.5 ? { points: Math.round(30 * shared), reason: "similar title" } : { points: 0 };
}

function judgeYear(own: number | undefined, theirs: number | undefined): Part {
  if (own === undefined || theirs === undefined) return { points: 0, reason: "year unknown" };
  if (own === theirs) return { points: 30, reason: `same year ${own}` };
  return Math.abs(own - theirs) === 1
    ? { points: 10, reason: "year differs by one" }
    : { points: -20, reason: `year ${theirs} instead of ${own}` };
}

function judgeNumbers(numbers: readonly string[], issueCount: number): Part {
  const highest = Math.max(0, ...numbers.map(Number.parseFloat).filter(Number.isFinite));
  if (highest === 0 || issueCount === 0) return { points: 0 };
  if (numbers.length > issueCount)
    return { points: -20, reason: `${numbers.length} issues owned, the volume has ${issueCount}` };
  return highest <= issueCount
    ? { points: 10, reason: "issue numbers fit" }
    : { points: -10, reason: `number ${highest} owned, the volume has ${issueCount} issues` };
}

function judgePublisher(own: string | undefined, theirs: string | undefined): Part {
  if (own === undefined || theirs === undefined) return { points: 0 };
  const [left, right] = [foldPublisher(own), foldPublisher(theirs)];
  if (left === right || left.startsWith(`${right} `) || right.startsWith(`${left} `))
    return { points: 10, reason: "same publisher" };
  return { points: -10, reason: `publisher ${theirs} instead of ${own}` };
}

const foldPublisher = (publisher: string) =>
  foldWords(publisher)
    .replace(/ (?:comics|publishing|publications|press|books|entertainment|inc|ltd|llc)\b/g, "")
    .trim();

function overlap(left: readonly string[], right: readonly string[]): number {
  const there = new Set(right);
  return (2 * left.filter((word) => there.has(word)).length) / (left.length + right.length);
}

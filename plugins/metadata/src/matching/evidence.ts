import type { SeriesEvidence } from "@longbox/collection/contract";
import type { SourceVolume, VolumeSummary } from "../contract.js";
import { judgeDates, judgeListedNumbers, judgeTitles } from "./listed-issues.js";
import { judgeLanguage, judgeNumberCount, judgePublisher, judgeTitle, judgeYear } from "./summaries.js";
import { unknown, type Aspect, type Part, type Verdict } from "./parts.js";
import { understandSeries } from "./understanding.js";

export interface Judgement {
  /** 0 to 100. */
  readonly score: number;
  readonly reasons: readonly string[];
  readonly parts: Readonly<Record<Aspect, Part>>;
}

/** What is known of a volume: what a search says of it, and perhaps all that it lists and what its covers look like. */
export interface KnownVolume {
  readonly summary: VolumeSummary;
  readonly listed?: Pick<SourceVolume, "issues"> | undefined;
  readonly cover?: Part | undefined;
}

/** How well a volume matches a series, with reasons. */
export function judge(evidence: SeriesEvidence, { summary, listed, cover = unknown }: KnownVolume): Judgement {
  const series = understandSeries(evidence);
  const parts: Record<Aspect, Part> = {
    title: judgeTitle(series, summary),
    year: judgeYear(series, summary),
    publisher: judgePublisher(evidence.publisher, summary.publisher),
    language: judgeLanguage(evidence.languages, summary),
    numbers: listed ? judgeListedNumbers(series, listed) : judgeNumberCount(series, summary.issueCount),
    dates: listed ? judgeDates(series, listed) : unknown,
    titles: listed ? judgeTitles(series, listed) : unknown,
    cover,
  };
  const all = Object.values(parts);
  const sum = all.reduce((points, part) => points + part.points, 0);
  return { score: Math.max(0, Math.min(100, sum)), reasons: all.flatMap(({ reason }) => reason ?? []), parts };
}

/**
 * Whether a volume can be the one: it has the title, and nothing speaks against it. Titles of issues outweigh variant
 * covers.
 */
export function isPossible({ parts: { cover, ...parts } }: Judgement): boolean {
  if (cover.verdict === "against" && parts.titles.verdict !== "for") return false;
  return parts.title.verdict === "for" && Object.values(parts).every(({ verdict }) => verdict !== "against");
}

/**
 * The certain match, or undefined: then the user decides. A volume is certain when nothing speaks against it, enough
 * speaks for it, and every other volume of the title is refuted. Among several that are not, those with the owned
 * numbers come before those without; then only the language of a translation or the titles of the issues decide.
 */
export function findCertain<T extends { readonly judgement: Judgement }>(candidates: readonly T[]): T | undefined {
  const possible = candidates.filter(({ judgement }) => isPossible(judgement));
  const numbered = possible.filter((candidate) => says(candidate, "numbers") === "for");
  const [only, ...others] = numbered.length === 0 ? possible : numbered;
  if (only === undefined) return undefined;
  if (others.length === 0) return isProven(only) ? only : undefined;
  return findTranslation(numbered) ?? findByTitles(numbered);
}

interface Judged {
  readonly judgement: Judgement;
}

const says = ({ judgement }: Judged, aspect: Aspect): Verdict => judgement.parts[aspect].verdict;

/**
 * Of a translation and its original, with the same covers: the one that says that it is of the language of the files.
 */
function findTranslation<T extends Judged>(possible: readonly T[]): T | undefined {
  const [found, ...others] = possible.filter((candidate) => says(candidate, "language") === "for");
  return found && others.length === 0 && isProven(found) ? found : undefined;
}

/** The one whose issues are called as here, where the titles of all others are known and none is the same. */
function findByTitles<T extends Judged>(possible: readonly T[]): T | undefined {
  const [found, ...same] = possible.filter((candidate) => says(candidate, "titles") === "for");
  const areOthers = possible.every((one) => one === found || one.judgement.parts.titles.points < 0);
  return same.length === 0 && areOthers ? found : undefined;
}

/**
 * Whether what speaks for the only possible volume is enough, even if the right one should not be among the results.
 */
function isProven(candidate: Judged): boolean {
  const isFor = (aspect: Aspect) => says(candidate, aspect) === "for";
  if (isFor("titles")) return true;
  // An original has the covers and the years of its translation, and another publisher.
  if (candidate.judgement.parts.language.points < 0 && !isFor("publisher")) return false;
  if (isFor("cover")) return true;
  return isFor("numbers") && (isFor("year") || (isFor("dates") && isFor("publisher")));
}

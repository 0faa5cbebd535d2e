import { foldTitle, foldWords } from "@longbox/sdk";
import type { VolumeSummary } from "../contract.js";
import { unknown, type Part } from "./parts.js";
import { languageNamedIn } from "./languages.js";
import type { UnderstoodSeries } from "./understanding.js";

export function judgeTitle({ titles, aliases }: UnderstoodSeries, volume: VolumeSummary): Part {
  const [own = ""] = titles.map(foldTitle);
  const theirs = foldTitle(volume.name);
  if (own === theirs) return { points: 40, verdict: "for", reason: "same title" };
  const names = new Set([volume.name, ...volume.aliases].map(foldTitle));
  if ([own, ...aliases.map(foldTitle)].some((name) => names.has(name)))
    return { points: 30, verdict: "for", reason: "same title as an alias" };
  const shared = overlap(own.split(" "), theirs.split(" "));
  return shared >= 0.5 ? { points: Math.round(25 * shared), verdict: "open", reason: "similar title" } : unknown;
}

/** A volume cannot begin after issues of it were published. */
export function judgeYear({ evidence, issues }: UnderstoodSeries, { startYear: theirs }: VolumeSummary): Part {
  const own = evidence.year;
  if (theirs === undefined) return { ...unknown, reason: "year unknown" };
  const years = issues.flatMap(({ year }) => year ?? []);
  const earliest = years.length === 0 ? undefined : Math.min(...years);
  if (earliest !== undefined && theirs > earliest + 1)
    return { points: -20, verdict: "against", reason: `began in ${theirs}, after an issue of ${earliest}` };
  if (own === undefined) return { ...unknown, reason: "year unknown" };
  if (own === theirs) return { points: 25, verdict: "for", reason: `same year ${own}` };
  return Math.abs(own - theirs) === 1
    ? { points: 10, verdict: "open", reason: "year differs by one" }
    : { points: -20, verdict: "against", reason: `year ${theirs} instead of ${own}` };
}

/**
 * Before the volume's issues are known. Volumes that go on with an older numbering have fewer issues than their highest
 * number.
 */
export function judgeNumberCount({ issues }: UnderstoodSeries, issueCount: number): Part {
  const highest = Math.max(0, ...issues.map(({ number }) => Number.parseFloat(number)).filter(Number.isFinite));
  if (highest === 0 || issueCount === 0) return unknown;
  if (issues.length > issueCount)
    return { points: -10, verdict: "open", reason: `${issues.length} issues owned, the volume has ${issueCount}` };
  return highest <= issueCount
    ? { points: 10, verdict: "open", reason: "issue numbers fit" }
    : { points: -5, verdict: "open", reason: `number ${highest} owned, the volume has ${issueCount} issues` };
}

export function judgePublisher(own: string | undefined, theirs: string | undefined): Part {
  if (own === undefined || theirs === undefined) return unknown;
  const [left, right] = [foldPublisher(own), foldPublisher(theirs)];
  if (left === right || left.startsWith(`${right} `) || right.startsWith(`${left} `))
    return { points: 10, verdict: "for", reason: "same publisher" };
  return { points: -10, verdict: "against", reason: `publisher ${theirs} instead of ${own}` };
}

/** Translations have the title and the numbers of the original, and often its year and its covers. */
export function judgeLanguage(own: readonly string[], volume: VolumeSummary): Part {
  const theirs = volume.language ?? languageNamedIn(volume.deck ?? "");
  const mine = own.map(plainLanguage);
  if (theirs === undefined)
    return mine.length === 0 || mine.includes("en") ? unknown : doubt("the volume does not tell its language");
  if (mine.length === 0) return plainLanguage(theirs) === "en" ? unknown : doubt(`a volume of the language ${theirs}`);
  return mine.includes(plainLanguage(theirs))
    ? { points: 10, verdict: "for", reason: `same language ${theirs}` }
    : { points: -10, verdict: "against", reason: `language ${theirs} instead of ${mine[0]}` };
}

const doubt = (reason: string): Part => ({ points: -5, verdict: "open", reason });
const plainLanguage = (tag: string) => tag.split("-")[0]!.toLowerCase();

/** Imprints, whose files and providers name the house or the imprint. */
const houses: Readonly<Record<string, string>> = {
  vertigo: "dc",
  wildstorm: "dc",
  "dc black label": "dc",
  "young animal": "dc",
  epic: "marvel",
  icon: "marvel",
  max: "marvel",
  shadowline: "image",
  skybound: "image",
};

function foldPublisher(publisher: string): string {
  const name = foldWords(publisher)
    .replace(/ (?:comics|publishing|publications|press|books|entertainment|inc|ltd|llc)\b/g, "")
    .trim();
  return houses[name] ?? name;
}

function overlap(left: readonly string[], right: readonly string[]): number {
  const there = new Set(right);
  return (2 * left.filter((word) => there.has(word)).length) / (left.length + right.length);
}

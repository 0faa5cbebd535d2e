import { foldIssueNumber, type Issue } from "@longbox/collection/contract";
import type { ParsedName } from "@longbox/files/contract";
import { counted, foldTitle, foldWords } from "@longbox/sdk";
import type { Release, Resting } from "../contract.js";
import type { DownloadSettings } from "../settings.js";
import { listed } from "../settings.js";
import { endingsFor, formatOf } from "./formats.js";
import { asCalledIn, issuesIn, rangeOf } from "./numbers.js";
import { doubt, favour, refuse, type Reason, type ReasonCode, type Weighed } from "./reasons.js";
import type { SearchTarget } from "./search-target.js";

/** What is known beside the release and the target. */
export interface Circumstances {
  readonly settings: DownloadSettings;
  /** The place of the source in the order of sources, from 0. */
  readonly rank: number;
  /** Why the release was blocklisted; undefined when it was not. */
  readonly blocked: string | undefined;
  readonly isQueued: boolean;
  /** Whether a client of its protocol is there; always for what this server downloads itself. */
  readonly hasClient: boolean;
  /** On the disk that downloads arrive on, after what stays free. */
  readonly freeBytes: number;
  /** Its source is left alone now. */
  readonly resting: Resting | undefined;
  /** The issue's files are to be replaced. */
  readonly replaces: boolean;
}

export interface Verdict {
  readonly score: number;
  readonly accepted: boolean;
  /** All that refuses it passes by itself, such as a full disk. */
  readonly acceptedLater: boolean;
  /** The first reason that refuses it, in words. */
  readonly refusal: string | undefined;
  readonly pack: boolean;
  readonly reasons: readonly Reason[];
  /** The issues of the series that a pack holds, as far as it is known. */
  readonly holds: readonly Issue[];
}

export interface Candidate {
  readonly release: Release;
  readonly parsed: ParsedName;
  /** What the files' names in it say, where the source knows them. */
  readonly files: readonly ParsedName[];
}

const megabyte = 1024 * 1024;
const dayMs = 86_400_000;

/** Reasons of the moment, not of the release. */
const passing: ReadonlySet<ReasonCode> = new Set(["no-disk", "no-client", "source-resting", "queued-already"]);

/** Says of a release what speaks for it and against it. */
export function judge(found: Candidate, target: SearchTarget, around: Circumstances): Verdict {
  const titles = [target.series.title, ...target.series.aliases];
  const candidate: Candidate = {
    ...found,
    parsed: asCalledIn(titles, found.parsed),
    files: found.files.map((file) => asCalledIn(titles, file)),
  };
  const pack = isPack(candidate);
  const holds = pack ? held(candidate, target) : [];
  const reasons: Weighed[] = [
    ...judgeTitle(candidate, target),
    ...(pack ? judgePack(holds, target) : judgeIssue(candidate, target)),
    ...judgeYear(candidate.parsed, target, pack),
    ...judgeFormat(candidate.release, target),
    ...judgeWords(candidate.release.title, around.settings),
    ...judgeSize(candidate.release, pack, around),
    ...judgeSupply(candidate.release, around.settings),
    ...judgeState(candidate, target, around),
  ];
  const weight = reasons.reduce((sum, reason) => sum + reason.weight, 0);
  return {
    score: Math.round(weight),
    accepted: !reasons.some(({ refuses }) => refuses),
    refusal: reasons.find(({ refuses }) => refuses)?.text,
    acceptedLater: reasons.every(({ refuses, code }) => !refuses || passing.has(code)),
    pack,
    reasons: reasons.map(({ code, text, against }) => ({ code, text, against })),
    holds,
  };
}

function isPack({ release, parsed, files }: Candidate): boolean {
  if (release.pack !== undefined) return release.pack;
  const numbers = new Set(files.flatMap(({ number }) => (number === undefined ? [] : [foldIssueNumber(number)])));
  return numbers.size > 1 || (parsed.number !== undefined && rangeOf(parsed.number) !== undefined);
}

function held({ parsed, files }: Candidate, { issues, series }: SearchTarget): readonly Issue[] {
  const title = foldTitle(series.title);
  const named = files.filter((file) => file.series === undefined || foldTitle(file.series) === title);
  const found =
    named.length > 0 ? named.flatMap(({ number }) => issuesIn(number, issues)) : issuesIn(parsed.number, issues);
  return [...new Set(found)];
}

function judgeTitle({ parsed, release }: Candidate, { series, issue, typed }: SearchTarget): Weighed[] {
  const wanted = [series.title, ...series.aliases].map(foldTitle);
  const says = parsed.series === undefined ? "" : foldTitle(parsed.series);
  if (wanted.includes(says)) return [favour("series-matches", 40, `The series matches: ${series.title}.`)];
  // Works without numbers are called by their own titles.
  const own = issue?.number === "" ? foldWords(issue.title ?? issue.label.full) : "";
  if (own !== "" && ` ${foldWords(release.title)} `.includes(` ${own} `))
    return [favour("series-matches", 40, `Its title names ${issue!.label.full}.`)];
  if (typed !== undefined && foldWords(release.title).includes(foldWords(typed)))
    return [refuse("wrong-series", `It may be another series: "${parsed.series ?? release.title}".`)];
  return [refuse("wrong-series", `The series is "${parsed.series ?? release.title}", not ${series.title}.`)];
}

function judgeIssue({ parsed }: Candidate, { issue, packs }: SearchTarget): Weighed[] {
  if (packs) return [refuse("no-pack", "It is not a pack.")];
  if (!issue || issue.number === "") return [];
  if (parsed.number === undefined) return [refuse("wrong-issue", "Its title has no number.")];
  if (foldIssueNumber(parsed.number) !== foldIssueNumber(issue.number))
    return [refuse("wrong-issue", `It is number ${parsed.number}, not ${issue.number}.`)];
  const found = favour("issue-matches", 30, `The number matches: ${issue.number}.`);
  return parsed.isCertain ? [found] : [found, doubt("unsure", 10, "Its title is ambiguous.")];
}

function judgePack(holds: readonly Issue[], { issue, packs }: SearchTarget): Weighed[] {
  if (issue && !holds.some(({ id }) => id === issue.id))
    return [refuse("pack-without-issue", `According to its title, this pack does not contain number ${issue.number}.`)];
  if (!packs) return [refuse("pack", "It is a pack, which is never taken automatically.")];
  if (holds.length === 0) return [refuse("pack-without-issue", "It is unknown what this pack contains.")];
  const missing = holds.filter(({ owned }) => !owned).length;
  if (missing === 0) return [refuse("owned", "The library already has everything in it.")];
  return [
    favour(
      "pack-holds",
      Math.min(30, missing),
      `It contains ${counted(holds.length, "item", "items")}; the library lacks ${missing}.`,
    ),
  ];
}

/** The year in a title is that of the issue, or that in which the series began. */
function judgeYear(parsed: ParsedName, { series, issue, issues }: SearchTarget, pack: boolean): Weighed[] {
  const says = parsed.year ?? (parsed.volume !== undefined && parsed.volume >= 1850 ? parsed.volume : undefined);
  if (says === undefined) return [];
  const covers = (pack || !issue ? issues : [issue]).flatMap(({ coverDate }) =>
    coverDate ? [Number(coverDate.slice(0, 4))] : [],
  );
  const years = [...(series.year === undefined ? [] : [series.year]), ...covers];
  if (years.length === 0) return [];
  if (years.includes(says)) return [favour("year-matches", 15, `The year matches: ${says}.`)];
  if (covers.some((year) => Math.abs(year - says) <= 1))
    return [favour("year-matches", 5, `The year is close: ${says}.`)];
  return [refuse("wrong-year", `It is from ${says}; ${series.title} began in ${series.year ?? Math.min(...years)}.`)];
}

function judgeFormat({ title, format }: Release, { series }: SearchTarget): Weighed[] {
  const says = format?.toLowerCase() ?? formatOf(title);
  if (says === undefined) return [];
  const wanted = endingsFor(series.type);
  const place = wanted.indexOf(says);
  if (place === -1)
    return [refuse("wrong-format", `A library of this type does not hold ${says.toUpperCase()} files.`)];
  return place < 2 ? [favour("format-preferred", 5 - place * 2, `It is a ${says.toUpperCase()} file.`)] : [];
}

function judgeWords(title: string, { refusedWords, preferredWords }: DownloadSettings): Weighed[] {
  const words = ` ${foldWords(title)} `;
  const among = (list: string) => listed(list).filter((word) => words.includes(` ${foldWords(word)} `));
  return [
    ...among(refusedWords).map((word) => refuse("word-refused", `Its title has the word "${word}".`)),
    ...among(preferredWords).map((word) => favour("word-preferred", 5, `Its title has the word "${word}".`)),
  ];
}

function judgeSize({ sizeBytes }: Release, pack: boolean, { settings, freeBytes }: Circumstances): Weighed[] {
  if (sizeBytes === undefined) return [];
  const most = pack ? settings.maxPackMegabytes : settings.maxMegabytes;
  const found: Weighed[] = [];
  if (sizeBytes < settings.minMegabytes * megabyte)
    found.push(refuse("too-small", `It is smaller than ${settings.minMegabytes} MB.`));
  if (sizeBytes > most * megabyte) found.push(refuse("too-large", `It is larger than ${most} MB.`));
  if (sizeBytes > freeBytes) found.push(refuse("no-disk", "There is not enough disk space for it."));
  return found;
}

function judgeSupply(release: Release, { minSeeders, maxAgeDays }: DownloadSettings): Weighed[] {
  const found: Weighed[] = [];
  const { seeders, protocol, publishedAt, passwordProtected } = release;
  if (protocol === "torrent" && seeders !== undefined) {
    if (seeders < minSeeders) found.push(refuse("no-seeds", `It has ${seeders} seeders.`));
    else found.push(favour("seeders", Math.min(10, Math.log2(seeders + 1) * 2), `It has ${seeders} seeders.`));
  }
  if (publishedAt !== undefined) {
    const days = Math.max(0, (Date.now() - Date.parse(publishedAt)) / dayMs);
    if (protocol === "usenet" && maxAgeDays > 0 && days > maxAgeDays)
      found.push(refuse("too-old", `It was posted ${Math.floor(days)} days ago.`));
    else if (days < 30) found.push(favour("fresh", 1, "It was published within the last month."));
  }
  if (passwordProtected) found.push(refuse("password-protected", "It is marked as password-protected."));
  return found;
}

function judgeState({ release }: Candidate, { issue }: SearchTarget, around: Circumstances): Weighed[] {
  const rank =
    around.rank === 0 ? "It comes from your preferred source." : `It is from source number ${around.rank + 1}.`;
  const found = [favour("source-preferred", Math.max(0, 10 - around.rank), rank)];
  if (around.blocked !== undefined) found.push(refuse("blocklisted", `It is on the blocklist: ${around.blocked}`));
  if (around.isQueued) found.push(refuse("queued-already", "This release is already in the queue."));
  if (around.resting)
    found.push(refuse("source-resting", `Requests to its source are suspended: ${around.resting.reason}`));
  if (!around.hasClient) found.push(refuse("no-client", `No download client for ${release.protocol} is enabled.`));
  if (issue?.owned && !around.replaces) found.push(refuse("owned", "The library already has this issue."));
  return found;
}

import { knownPrefix } from "./rules/bare.js";
import type { ParsedName } from "./parsed-name.js";
import { Reading, type NameHints } from "./reading.js";
import { rules } from "./rules.js";

export type { NameHints } from "./reading.js";

/** Longer names are no names: of those, the beginning is read. */
const longestName = 500;

/** Reads a file's name: series, number, volume, date, edition. It never throws; what it cannot tell stays undefined. */
export function parseName(fileName: string, hints: NameHints = {}): ParsedName {
  const reading = readName(fileName, hints);
  conclude(reading);
  const { series, title } = namesOf(reading);
  return {
    series,
    number: reading.number,
    kind: reading.kind,
    // `v05.5` lies between two volumes.
    volume: Number.isInteger(reading.volume) ? reading.volume : undefined,
    year: reading.date?.year,
    month: reading.date?.month,
    day: reading.date?.day,
    count: reading.count,
    title,
    edition: reading.edition === "One-Shot" ? undefined : reading.edition,
    tags: reading.tags,
    cvIssueId: reading.cvIssueId,
    isCertain: !reading.isGuess,
    reasons: reading.reasons,
  };
}

/** What a folder's name says of its series: `Moth Patrol (2019) [cv-4711]`. */
export function parseFolderName(name: string): {
  name: string;
  year: number | undefined;
  volume: number | undefined;
  cvId: number | undefined;
} {
  const reading = new Reading(`${name}.cbz`, {});
  for (const { id, read } of rules) if (id === "brackets" || id === "volume") read(reading);
  const [start, end] = reading.seriesSpan();
  return {
    name: seriesName(withoutRange(reading.text.slice(start, end))) ?? name,
    year: reading.date?.year,
    volume: reading.volume,
    cvId: reading.cvId,
  };
}

/** `Moth Patrol 001-050`: which issues a folder holds is not its name. */
function withoutRange(text: string): string {
  const range = /^(.*\p{L}.*) #?(\d{1,4}) ?[-–] ?#?(\d{1,4})\s*$/u.exec(text);
  return range && Number(range[2]) < Number(range[3]) && Number(range[2]) < 1850 ? range[1]! : text;
}

function readName(fileName: string, hints: NameHints): Reading {
  const reading = new Reading(fileName.length > longestName ? fileName.slice(0, longestName) : fileName, hints);
  for (const { read } of rules) read(reading);
  return reading;
}

/** Puts edition, volume and number together: `TPB 2`, `Vol. 3`. */
function conclude(reading: Reading): void {
  const volume = reading.volume !== undefined && reading.volume < 1850 ? reading.volume : undefined;
  if (reading.edition === "One-Shot") {
    if (reading.kind === "issue") reading.kind = "one-shot";
    return;
  }
  if (reading.edition !== undefined && reading.kind === "issue") {
    const number = reading.number ?? volume;
    reading.number = number === undefined ? reading.edition : `${reading.edition} ${number}`;
    reading.kind = "collected";
  } else if (reading.number === undefined && volume !== undefined) {
    reading.number = reading.lastVolume === undefined ? `Vol. ${volume}` : `Vol. ${volume}-${reading.lastVolume}`;
    reading.kind = "collected";
  }
}

function namesOf(reading: Reading): { series: string | undefined; title: string | undefined } {
  const { text, hints } = reading;
  const [start, end] = reading.seriesSpan();
  const series = seriesName(text.slice(start, end));
  if (reading.numberLeads && series !== undefined && hints.series !== undefined && !isSameName(series, hints.series))
    return { series: undefined, title: titleOf(text.slice(start, end)) };
  const title = titleOf(reading.title ?? text.slice(...reading.titleSpan()));
  if (series === undefined && hints.series === undefined && /^#\d+$/.test(text))
    return { series: text.slice(1), title };
  return { series, title: reading.numberLeads ? undefined : title };
}

/** Whether a name is the folder's and nothing more. */
function isSameName(name: string, folder: string): boolean {
  const known = knownPrefix(name, folder);
  return known > 0 && !/[\p{L}\p{N}]/u.test(name.slice(known));
}

function seriesName(text: string): string | undefined {
  const name = trimmed(text, " -–—,:;.+|", " -–—,:;#+|");
  if (name === "") return undefined;
  return /\p{L}{3}\.$/u.test(name.slice(-4)) ? name.slice(0, -1) : name;
}

function titleOf(text: string): string | undefined {
  const title = trimmed(text, " -–—,:;.", " -–—,:;");
  return /\p{L}/u.test(title) ? title : undefined;
}

function trimmed(text: string, before: string, behind: string): string {
  let [start, end] = [0, text.length];
  while (start < end && before.includes(text[start]!)) start++;
  while (end > start && behind.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

import type { IssueKind } from "@longbox/collection/contract";
import { patterns, plainNumber } from "./markers.js";

/** What else is known when a name is read. */
export interface NameHints {
  /** The series as the folder names it. */
  readonly series?: string | undefined;
}

/** What a name tells of its number, and where in the name. */
export interface Found {
  readonly number: string | undefined;
  readonly kind: IssueKind;
  readonly volume: number | undefined;
  readonly count?: number;
  /** Where the series' name ends in the text. */
  readonly seriesEnd: number;
  /** Where a title may begin. */
  readonly titleStart: number | undefined;
}

/** A number that stood in brackets. */
export function bracketedNumber(number: string, text: string): Found {
  return {
    number: plainNumber(number),
    kind: "issue",
    volume: undefined,
    seriesEnd: endOfName(text),
    titleStart: undefined,
  };
}

/** The ways in which names tell their numbers, the surest first. */
export function findNumber(text: string, hints: NameHints, edition: string | undefined): Found {
  const volume = findVolume(text);
  return (
    fromAnnual(text, volume) ??
    fromMatch(patterns.hash.exec(text), text, volume) ??
    fromKnownSeries(text, volume, hints) ??
    fromChapter(text, volume) ??
    fromMatch(patterns.issue.exec(text), text, volume) ??
    fromSpecial(text, volume) ??
    fromRange(text, volume) ??
    fromCollected(text, volume, edition) ??
    fromCount(text, volume) ??
    fromBare(text, volume, hints) ??
    fromVolumeAlone(text, volume) ?? {
      number: undefined,
      kind: "issue",
      volume: undefined,
      seriesEnd: endOfName(text),
      titleStart: undefined,
    }
  );
}

interface VolumeMark {
  readonly volume: number;
  readonly last: number | undefined;
  readonly start: number;
  readonly end: number;
}

function findVolume(text: string): VolumeMark | undefined {
  const found = patterns.volume.exec(text) ?? patterns.cjkVolume.exec(text);
  if (!found) return undefined;
  return {
    volume: Number(found[1]),
    last: found[2] === undefined ? undefined : Number(found[2]),
    start: found.index,
    end: found.index + found[0].length,
  };
}

function fromMatch(found: RegExpExecArray | null, text: string, volume: VolumeMark | undefined): Found | undefined {
  if (!found) return undefined;
  const end = found.index + found[0].length;
  const count = /^\s*\|?\s*(?:of|\/)\s*(\d{1,4})\b/i.exec(text.slice(end));
  return {
    number: plainNumber(found[1]!),
    kind: "issue",
    volume: volume?.volume,
    ...(count && { count: Number(count[1]) }),
    seriesEnd: nameEnd(text, found.index, volume),
    titleStart: count ? end + count[0].length : end,
  };
}

function fromAnnual(text: string, volume: VolumeMark | undefined): Found | undefined {
  const found = patterns.annual.exec(text);
  if (!found || found.index === 0) return undefined;
  const end = found.index + found[0].length;
  const hash = found[1] === undefined ? patterns.hash.exec(text.slice(end)) : undefined;
  const number = found[1] ?? hash?.[1];
  const year = /^\s*((?:19|20)\d\d)\b/.exec(found[1] ?? "");
  return {
    number: number === undefined ? "Annual" : `Annual ${plainNumber(year ? year[1]! : number)}`,
    kind: "annual",
    volume: volume?.volume,
    seriesEnd: nameEnd(text, found.index, volume),
    titleStart: hash ? end + hash.index + hash[0].length : end,
  };
}

/** Right after the series' own name stands its number. */
function fromKnownSeries(text: string, volume: VolumeMark | undefined, hints: NameHints): Found | undefined {
  const prefix = hints.series === undefined ? 0 : knownPrefix(text, hints.series);
  // A hyphen that touches the name joins the number to it; only after a blank is it a minus sign.
  const known = prefix > 0 && /^[-–]\d/.test(text.slice(prefix)) ? prefix + 1 : prefix;
  const [first] = known === 0 ? [] : text.slice(known).matchAll(patterns.bare);
  if (
    !first ||
    !/^[\s\-–:,]*$/.test(text.slice(known, known + first.index)) ||
    isYear(first[1]!) ||
    within(known + first.index, volume)
  )
    return undefined;
  first.index += known;
  return patterns.range.test(text.slice(first.index)) ? undefined : fromMatch(first, text, volume);
}

function fromChapter(text: string, volume: VolumeMark | undefined): Found | undefined {
  const found = patterns.chapter.exec(text) ?? patterns.cjkChapter.exec(text);
  if (!found) return undefined;
  const place = fromMatch(found, text, volume)!;
  return found[2] === undefined
    ? place
    : { ...place, number: `${plainNumber(found[1]!)}-${plainNumber(found[2])}`, kind: "collected" };
}

function fromSpecial(text: string, volume: VolumeMark | undefined): Found | undefined {
  const found = patterns.special.exec(text);
  if (!found || found.index === 0) return undefined;
  return {
    number: `Special ${plainNumber(found[1]!)}`,
    kind: "special",
    volume: volume?.volume,
    seriesEnd: nameEnd(text, found.index, volume),
    titleStart: found.index + found[0].length,
  };
}

function fromCollected(text: string, volume: VolumeMark | undefined, edition: string | undefined): Found | undefined {
  if (edition === undefined) return undefined;
  const word = patterns.collected.exec(text);
  const bookNumber = volume && volume.volume < 1850 ? volume.volume : bareAfter(text, word);
  const end = Math.max(volume?.end ?? 0, word ? word.index + word[0].length : 0);
  const start = Math.min(
    volume?.start ?? text.length,
    word && word.index > 0 ? word.index : text.length,
    endOfName(text),
  );
  return {
    number: bookNumber === undefined ? edition : `${edition} ${bookNumber}`,
    kind: "collected",
    volume: volume?.volume,
    seriesEnd: start,
    titleStart: end || undefined,
  };
}

function bareAfter(text: string, word: RegExpExecArray | null): number | undefined {
  const found = word && /^\s*#?(\d{1,3})\b/.exec(text.slice(word.index + word[0].length));
  return found ? Number(found[1]) : undefined;
}

function fromCount(text: string, volume: VolumeMark | undefined): Found | undefined {
  const found = patterns.ofCount.exec(text);
  if (!found || found.index === 0) return undefined;
  return {
    number: plainNumber(found[1]!),
    kind: "issue",
    volume: volume?.volume,
    count: Number(found[2]),
    seriesEnd: nameEnd(text, found.index, volume),
    titleStart: found.index + found[0].length,
  };
}

function fromRange(text: string, volume: VolumeMark | undefined): Found | undefined {
  const found = patterns.range.exec(text);
  if (!found || Number(found[2]) <= Number(found[1]) || Number(found[1]) >= 1850) return undefined;
  return {
    number: `${plainNumber(found[1]!)}-${plainNumber(found[2]!)}`,
    kind: "collected",
    volume: volume?.volume,
    seriesEnd: nameEnd(text, found.index, volume),
    titleStart: found.index + found[0].length,
  };
}

/** A number that stands alone: after the series' name where that is known, else the last one before the brackets. */
function fromBare(text: string, volume: VolumeMark | undefined, hints: NameHints): Found | undefined {
  const prefix = hints.series === undefined ? 0 : knownPrefix(text, hints.series);
  // A hyphen that touches the name joins the number to it; only after a blank is it a minus sign.
  const known = prefix > 0 && /^[-–]\d/.test(text.slice(prefix)) ? prefix + 1 : prefix;
  const head = text.slice(0, endOfName(text));
  const all = Array.from(text.matchAll(patterns.bare)).filter(
    (match) => match.index >= known && !within(match.index, volume),
  );
  if (known > 0 && all[0]) return fromMatch(all[0], text, volume);
  const candidates = all.filter((match) => match.index < head.length);
  const atEnd = candidates.findLast(
    (match) =>
      match.index > 0 &&
      head
        .slice(match.index + match[0].length)
        .trim()
        .replace(/[-–:;,.]+$/, "") === "",
  );
  if (atEnd && isYear(atEnd[1]!)) {
    const former = candidates[candidates.indexOf(atEnd) - 1];
    return former && former.index > 0 ? fromMatch(former, text, volume) : undefined;
  }
  if (atEnd) return fromMatch(atEnd, text, volume);
  const inside = candidates.find(
    (match) => match.index > 0 && !isYear(match[1]!) && /^\d{2,}|\d[.,]|[a-h]$/.test(match[1]!),
  );
  if (inside) return fromMatch(inside, text, volume);
  const behind = all.find((match) => match.index > head.length && !isYear(match[1]!));
  if (behind && candidates.length === 0) return fromMatch(behind, text, volume);
  const sole = candidates[0];
  return sole && sole.index === 0 && sole[0].trim() === head.trim() ? fromMatch(sole, text, volume) : undefined;
}

function fromVolumeAlone(text: string, volume: VolumeMark | undefined): Found | undefined {
  if (!volume) return undefined;
  const isBook = volume.volume < 1850;
  const number = volume.last === undefined ? `Vol. ${volume.volume}` : `Vol. ${volume.volume}-${volume.last}`;
  return {
    number: isBook ? number : undefined,
    kind: isBook ? "collected" : "issue",
    volume: volume.volume,
    seriesEnd: nameEnd(text, volume.start, volume),
    titleStart: volume.end,
  };
}

/** How much of the text repeats a known name, without regard to case and punctuation; 0 when it does not begin with it. */
function knownPrefix(text: string, series: string): number {
  const letters = Array.from(series.toLowerCase()).filter((character) => /[\p{L}\p{N}]/u.test(character));
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!.toLowerCase();
    if (!/[\p{L}\p{N}]/u.test(character)) continue;
    if (character !== letters[matched]) return 0;
    matched++;
    if (matched === letters.length) return /[\p{L}\p{N}]/u.test(text[at + 1] ?? " ") ? 0 : at + 1;
  }
  return 0;
}

function within(index: number, volume: VolumeMark | undefined): boolean {
  return volume !== undefined && index >= volume.start && index < volume.end;
}

function isYear(text: string): boolean {
  return /^(?:19[3-9]|20[0-4])\d$/.test(text);
}

/** The name ends where its number, its volume or its first bracket begins. */
function nameEnd(text: string, numberStart: number, volume: VolumeMark | undefined): number {
  const bracket = text.indexOf("|");
  const ends = [numberStart, volume ? volume.start : numberStart, bracket > 0 ? bracket : numberStart];
  return Math.min(...ends);
}

function endOfName(text: string): number {
  const bracket = text.indexOf("|", 1);
  return bracket < 0 ? text.length : bracket;
}

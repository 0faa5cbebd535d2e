import { announcementAt } from "./announced.js";
import { isYear, romanValue } from "../numbers.js";
import { countAfter, firstStrongNumber, isDash, isNumber, rangeEnd, takeNumber } from "./number-spans.js";
import type { Reading } from "../reading.js";
import { knownWord } from "../vocabulary.js";

/** `v2`, `Vol. 3`, `Tome IV`, `V1999`, `v01-05`. */
export function readVolume(reading: Reading): void {
  const { tokens } = reading;
  const strong = firstStrongNumber(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const found = announcementAt(tokens, at);
    if (!found || found.known.role !== "volume" || reading.isTaken(at)) continue;
    const { numberAt, known, joinedLetters } = found;
    const value = tokens[numberAt] && volumeValue(tokens[numberAt].text, tokens[numberAt].kind);
    if (value === undefined || reading.isTaken(numberAt)) continue;
    if (isVersion(reading, at)) {
      reading.take(at, numberAt, "stop");
      reading.because(`${reading.quote(at, numberAt)} is a version of the scan`);
      continue;
    }
    if (strong >= 0 && strong < at && !tokens[at]!.key.startsWith("v")) return;
    if (isNumber(tokens[numberAt]) && reading.number === undefined && countAfter(tokens, numberAt)) {
      const last = takeNumber(reading, numberAt, { from: at });
      reading.because(`${reading.quote(at, last)} is a number and the count`);
      return;
    }
    const range = isNumber(tokens[numberAt]) ? tightRange(reading, numberAt) : undefined;
    const last = range?.last ?? numberAt;
    if (reading.volume === undefined || reading.volume >= 1850) reading.volume = value;
    if (range) reading.lastVolume = Number(range.end.text);
    reading.volumeAt = at;
    reading.takeSpan({ first: at, last, startsEarlier: -joinedLetters }, "stop");
    reading.because(`${reading.quote(at)} is a volume word, ${known.languages.slice(0, 4).join(", ")}`);
    return;
  }
}

/** `Volumes 2 - 4` says itself that there are several. */
const plurals: ReadonlySet<string> = new Set(
  "volumes vols books bände tomes tomos volúmenes libros volumi libri delen tomy тома".split(" "),
);

/** Only what hangs together is a range of volumes: `v6 - 10` is number 10 of volume 6. */
function tightRange(reading: Reading, at: number): ReturnType<typeof rangeEnd> {
  const range = rangeEnd(reading.tokens, at);
  const [sign, next] = [reading.tokens[at + 1], reading.tokens[at + 2]];
  if (!range || range.end.text.length > 2 || isJoinedBefore(reading, at)) return undefined;
  const isWord = sign!.kind === "word";
  const isAnnounced = next?.kind === "word" || plurals.has(reading.tokens[at - 1]!.key);
  return isWord || isAnnounced || (!sign!.isSpaced && !next!.isSpaced) ? range : undefined;
}

/** `X-Kites-V1-67`: hyphens join everything, so that the last number is an issue's. */
function isJoinedBefore(reading: Reading, at: number): boolean {
  const hyphen = reading.tokens[at - 2];
  return isDash(hyphen) && !hyphen!.isSpaced && !reading.tokens[at - 1]!.isSpaced;
}

function volumeValue(text: string, kind: string): number | undefined {
  if (kind === "number") return /^\d{1,3}(?:\.\d)?$/.test(text) || isYear(text) ? Number(text) : undefined;
  if (kind !== "word") return undefined;
  const written = writtenNumbers.indexOf(text.toLowerCase());
  return written > 0 ? written : text === text.toUpperCase() ? romanValue(text) : undefined;
}

const writtenNumbers = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** `011v002`: what hangs on a number tells how often it was scanned. */
function isVersion(reading: Reading, at: number): boolean {
  const [before, word] = [reading.tokens[at - 1], reading.tokens[at]!];
  return isNumber(before) && !word.isSpaced;
}

/** `S2`, `Season 3`, `시즌2`, and the episode of `S03 E12`. `Ver002` is a version. */
export function readSeason(reading: Reading): void {
  const { tokens } = reading;
  for (let at = 0; at < tokens.length; at++) {
    const word = tokens[at]!;
    if (word.kind !== "word" || !isNumber(tokens[at + 1]) || reading.isTaken(at + 1)) continue;
    const isBrief = !tokens[at + 1]!.isSpaced;
    const known = knownWord(word.key, isBrief);
    if (known?.role === "version" && isBrief) reading.take(at, at + 1, "inside");
    if (known?.role !== "season" || (word.key === "s" && !/^\d{1,2}$/.test(tokens[at + 1]!.text))) continue;
    reading.take(at, at + 1, "stop");
    reading.because(`${reading.quote(at, at + 1)} is a season`);
    if (tokens[at + 2]?.key === "e" && isNumber(tokens[at + 3]) && reading.number === undefined) {
      takeNumber(reading, at + 3, { from: at + 2 });
      reading.because(`${reading.quote(at + 2, at + 3)} is an episode`);
    }
    return;
  }
}

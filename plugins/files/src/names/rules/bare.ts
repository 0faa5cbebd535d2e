import { asDecimal } from "./announced.js";
import { isPadded, isYear, isYearLike } from "../numbers.js";
import { endsPhrase, isDash, isMark, isMinus, isNumber, takeNumber } from "./number-spans.js";
import type { Reading } from "../reading.js";
import type { Token } from "../tokens.js";
import { partWords } from "../vocabulary.js";

/** A number that stands alone. */
interface Candidate {
  readonly at: number;
  /** It stands at the end of the name or of a part of it. */
  readonly endsPart: boolean;
  /** It stands alone between dashes: `- 12 -`. */
  readonly isPart: boolean;
}

/** Where a text that begins with a known series goes on; 0 when it does not begin with it. */
export function knownPrefix(text: string, series: string): number {
  const letters = Array.from(series.toLowerCase()).filter((character) => isLetterOrDigit(character));
  let matched = 0;
  for (let at = 0; at < text.length && matched < letters.length; at++) {
    const character = text[at]!.toLowerCase();
    if (!isLetterOrDigit(character)) continue;
    if (character !== letters[matched]) return 0;
    matched++;
    if (matched === letters.length) return isLetterOrDigit(text[at + 1] ?? " ") ? 0 : at + 1;
  }
  return 0;
}

const isLetterOrDigit = (character: string) => /[\p{L}\p{N}]/u.test(character);

/** The number right after the series that the folder names: `Area 61 20` in the folder `Area 61`. */
export function readAfterKnownSeries(reading: Reading): void {
  const found = numberBehindSeries(reading);
  if (!found || !/^[\s\-–:,]*$/.test(found.between)) return;
  const { tokens } = reading;
  const { at } = found;
  const later = tokens.slice(at + 1, at + 8).some((next) => isNumber(next) && !isYearLike(next.text));
  if (isYear(tokens[at]!.text) && later) return;
  takeBehindSeries(reading, at);
}

/** The first number anywhere behind the series that the folder names. */
export function readBehindKnownSeries(reading: Reading): void {
  const found = numberBehindSeries(reading);
  if (!found) return;
  const token = reading.tokens[found.at]!;
  if (token.isSpaced && !isYear(token.text)) takeBehindSeries(reading, found.at);
}

function numberBehindSeries(reading: Reading): { at: number; between: string } | undefined {
  const { tokens, text, hints } = reading;
  if (reading.number !== undefined || hints.series === undefined) return undefined;
  const known = knownPrefix(text, hints.series);
  if (known === 0) return undefined;
  const first = tokens.findIndex((token, index) => token.start >= known && isNumber(token) && !reading.isTaken(index));
  const at = first >= 0 && isNamedNumber(tokens, first) ? first + 1 : first;
  return at < 0 ? undefined : { at, between: text.slice(known, tokens[at]!.start) };
}

/** `Moth Patrol 2099 001` in the folder `Moth Patrol`: the first number tells another series apart. */
function isNamedNumber(tokens: readonly Token[], at: number): boolean {
  const [number, next] = [tokens[at]!, tokens[at + 1]];
  if (!isNumber(next) || !next.isSpaced || number.text.startsWith("0")) return false;
  return isPadded(next.text) || (isYearLike(number.text) && !isYear(number.text));
}

function takeBehindSeries(reading: Reading, at: number): void {
  const isNegative = isMinus(reading.tokens, at) && !isPadded(reading.tokens[at]!.text);
  const last = takeNumber(reading, at, { from: isNegative ? at - 1 : at });
  asDecimal(reading, at);
  reading.because(`${reading.quote(at, last)} follows the name that the folder has`);
}

/** A number that nothing announces, the likeliest first. */
export function readBareNumber(reading: Reading): void {
  if (reading.number !== undefined) return;
  const { tokens } = reading;
  const candidates = findCandidates(reading);
  const later = candidates.filter(({ at }) => at > 0 && !isLeadingPart(reading, at));
  const text = ({ at }: Candidate) => tokens[at]!.text;
  const plain = later.filter((one) => !isYearLike(text(one)));
  const padded = plain.find((one) => isPadded(text(one)));
  const leading = candidates.find(({ at }) => at === 0 || isLeadingPart(reading, at));
  if (leading && standsFirst(reading, leading.at, later.length > 0)) return takeLeading(reading, leading.at);
  const sure = padded ?? plain.find(({ isPart }) => isPart) ?? plain.find(({ endsPart }) => endsPart);
  if (sure) return takeBare(reading, sure.at, padded ? "is written as numbers are" : "ends the name");
  const inside = plain.find((one) => /^\d{2,}|\d[.,]|[a-h]$/.test(text(one))) ?? plain[0];
  const guessed = inside ?? later.find(({ endsPart, at }) => endsPart && !isYear(tokens[at]!.text));
  if (guessed && !isFirstWord(tokens, guessed.at)) {
    reading.isGuess = true;
    return takeBare(reading, guessed.at, "is the only number, and a title follows");
  }
  if (leading && reading.tokens.length === 1) takeBare(reading, leading.at, "is the whole name");
  else if (leading && tokens.slice(leading.at + 1).every(({ kind }) => kind === "bracket" || kind === "mark"))
    takeWhole(reading, leading.at);
}

/** `001`, and `300 (1998)`, which may as well be a title. */
function takeWhole(reading: Reading, at: number): void {
  takeBare(reading, at, "is the whole name");
  const text = reading.tokens[at]!.text;
  if (reading.date !== undefined && /^[1-9]\d*$/.test(text)) reading.isGuess = true;
}

const isFirstWord = (tokens: readonly Token[], at: number) =>
  at === 0 || tokens.slice(0, at).every(({ kind }) => kind === "bracket");

function takeBare(reading: Reading, at: number, why: string): void {
  const { tokens } = reading;
  const isNegative = isMinus(tokens, at) && /^\d{1,2}$/.test(tokens[at]!.text) && !isPadded(tokens[at]!.text);
  const hasSeries = at > 1 || reading.hints.series !== undefined;
  const isAnnounced = at > 0 && hasSeries && partWords.has(tokens[at - 1]!.key);
  const last = takeNumber(reading, at, { from: isNegative || isAnnounced ? at - 1 : at });
  asDecimal(reading, at);
  reading.because(`${reading.quote(at, last)} ${why}`);
}

function findCandidates(reading: Reading): Candidate[] {
  const { tokens } = reading;
  const found: Candidate[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (!isNumber(token) || reading.isTaken(at) || hangsOn(reading, at)) continue;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    // `Mob Saint 100 v02`: a number before the volume is the name's, unless it is written as an issue's.
    if (reading.isVolume(at + 1) && tokens[at + 1]!.isSpaced && !isPadded(token.text)) continue;
    const endsPart = endsPhrase(after) || (after !== undefined && reading.isTaken(at + 1));
    const isPart = isDash(before) && before!.isSpaced && endsPart;
    found.push({ at, endsPart, isPart });
  }
  return found;
}

/** Whether a number belongs to the word beside it: `X2`, `IG-88`, `100-Page`. `spawn-123` and `-V1-067` do not. */
function hangsOn(reading: Reading, at: number): boolean {
  const { tokens } = reading;
  const [token, before, after] = [tokens[at]!, tokens[at - 1], tokens[at + 1]];
  // `1/2019`
  if (token.isSpaced && isMark(after, "/") && isYear(tokens[at + 2]?.text ?? "")) return false;
  if (after && !after.isSpaced && !reading.isTaken(at + 1) && (after.kind === "word" || /^[%/*$]$/.test(after.text)))
    return true;
  if (isDash(after) && !after!.isSpaced && tokens[at + 2]?.kind === "word" && !tokens[at + 2]!.isSpaced)
    return !isAllHyphens(reading) || !isDash(before);
  if (token.isSpaced || !before) return false;
  if (before.kind === "word")
    return !/[^\u0020-\u024f]$/.test(before.text) && !(isPadded(token.text) && before.text.length > 2);
  if (/^[:/$.'&]$/.test(before.text)) return true;
  if (!isMark(before, "-") || before.isSpaced) return false;
  const word = tokens[at - 2];
  if (reading.isTaken(at - 2) || word?.kind !== "word" || isAllHyphens(reading)) return false;
  if (isPadded(token.text)) return false;
  return !/^\d{3}$/.test(token.text) || /^[A-Z]{1,2}$/.test(word.text);
}

/** `moth-patrol-12-low-water`: hyphens stand for blanks, so that they join nothing. */
function isAllHyphens({ tokens, text }: Reading): boolean {
  return !text.includes(" ") && tokens.length > 4 && tokens.slice(0, 8).filter(isDash).length > 1;
}

/** A number behind nothing but brackets. */
function isLeadingPart(reading: Reading, at: number): boolean {
  return at > 0 && at < 6 && reading.tokens.slice(0, at).every(({ kind }) => kind === "bracket");
}

/** `003 - Moth Patrol`, `003 Moth Patrol`, `5 - Spider-Moth`; `100 Kites` is a title. */
function standsFirst(reading: Reading, at: number, hasOthers: boolean): boolean {
  const { tokens } = reading;
  const [token, next] = [tokens[at]!, tokens[at + 1]];
  if (!next || tokens.slice(at + 1).every(({ kind }) => kind !== "word")) return false;
  const isDivided = next.kind === "mark" && /^[-–—.:,]$/.test(next.text) && tokens[at + 2]?.isSpaced === true;
  if (isPadded(token.text) || /^0\d/.test(token.text)) return isDivided || !hasOthers;
  if (/^\d{1,4}\.\d{1,2}$/.test(token.text)) return isDivided;
  if (isYearLike(token.text)) return false;
  const { series, numbersLead } = reading.hints;
  const isNumbersFolder = numbersLead === true && (series === undefined || knownPrefix(reading.text, series) === 0);
  return isDivided || (isNumbersFolder && !hasOthers);
}

function takeLeading(reading: Reading, at: number): void {
  reading.numberLeads = true;
  const last = takeNumber(reading, at);
  reading.because(`${reading.quote(at, last)} is a number before the name`);
}

/** `The 2nd Night` in a series' folder: without any other number the ordinal counts. */
export function readOrdinal(reading: Reading): void {
  const { tokens, text, hints } = reading;
  if (reading.number !== undefined || reading.volume !== undefined || hints.series === undefined) return;
  if (knownPrefix(text, hints.series) > 0) return;
  const at = tokens.findIndex(({ kind, key }) => kind === "word" && /^\d{1,4}(?:st|nd|rd|th)$/.test(key));
  if (at < 0) return;
  reading.number = String(Number.parseInt(tokens[at]!.key, 10));
  reading.isGuess = true;
  reading.because(`${reading.quote(at)} is the only number`);
}

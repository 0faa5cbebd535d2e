import { announcementAt } from "./announced.js";
import { editionOf, mayBeginEdition } from "../editions.js";
import { isYear, plainNumber } from "../numbers.js";
import { endsPhrase, firstStrongNumber, isDash, isMark, isNumber, rangeEnd } from "./number-spans.js";
import type { Reading } from "../reading.js";
import type { Token } from "../tokens.js";
import { knownWord } from "../vocabulary.js";

/** `Annual 2`, `Annual #1`, `Annual (1976) #01`. A word of the title announces nothing: `The Annual Turnip Fair`. */
export function readAnnual(reading: Reading): void {
  const at = findKind(reading, "annual");
  if (at === undefined) return;
  const { tokens } = reading;
  const numberAt = numberBehind(tokens, at) ?? hashBehind(tokens, at);
  const written = numberAt === undefined ? shortYear(tokens[at + 1]) : tokens[numberAt]!.text;
  const range = numberAt === undefined ? undefined : rangeEnd(tokens, numberAt);
  reading.kind = "annual";
  reading.number = written === undefined ? "Annual" : `Annual ${spanOf(written, range)}`;
  if (written !== undefined && isYear(written))
    reading.date ??= { year: Number(written), month: undefined, day: undefined };
  reading.take(at, at, "number");
  if (numberAt !== undefined) reading.take(numberAt, range?.last ?? numberAt, "number");
  else if (written !== undefined) reading.take(at + 1, at + 1, "number");
  const languages = knownWord(tokens[at]!.key, false)?.languages ?? [];
  reading.because(`${reading.quote(at)} says that it is an annual, ${languages.slice(0, 4).join(", ")}`);
}

/** `2`, or `1-3` where a range begins: a pack never counts as its first. */
function spanOf(first: string, range: ReturnType<typeof rangeEnd>): string {
  return range ? `${plainNumber(first)}-${plainNumber(range.end.text)}` : plainNumber(first);
}

/** `'97`. Comics are not older than 1930, nor are their annuals of the next decades. */
function shortYear(token: Token | undefined): string | undefined {
  if (token?.kind !== "word" || !/^['’]\d\d$/.test(token.text)) return undefined;
  const year = Number(token.text.slice(1));
  return String(year < 30 ? 2000 + year : 1900 + year);
}

/** `Special 2`, `Sonderheft 3`, `Hors-série 1`. */
export function readSpecial(reading: Reading): void {
  if (reading.number !== undefined) return;
  const at = findKind(reading, "special");
  if (at === undefined) return;
  const { tokens } = reading;
  const last = isJoinedSpecial(tokens, at) ? at + 2 : at;
  const numberAt = numberBehind(tokens, last) ?? hashBehind(tokens, last);
  reading.kind = "special";
  reading.number = numberAt === undefined ? "Special" : `Special ${plainNumber(tokens[numberAt]!.text)}`;
  reading.take(at, numberAt ?? last, "number");
  const year = numberAt === undefined ? undefined : tokens[numberAt]!.text;
  if (year !== undefined && isYear(year)) reading.date ??= { year: Number(year), month: undefined, day: undefined };
  reading.because(`${reading.quote(at, last)} says that it is a special`);
}

/** `TPB`, `Hard Cover`, `Omnibus`, `One-Shot` where the series' name has ended. */
export function readEdition(reading: Reading): void {
  const { tokens } = reading;
  const strong = firstStrongNumber(tokens);
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.kind !== "word" || !mayBeginEdition(tokens[at]!.key) || reading.isTaken(at)) continue;
    if (strong >= 0 && strong < at - 1) return;
    const found = phraseAt(tokens, at);
    if (!found || !announces(tokens, at, found.last)) continue;
    reading.edition ??= found.edition;
    const numberAt = reading.number === undefined ? numberBehind(tokens, found.last) : undefined;
    if (numberAt !== undefined && !isYear(tokens[numberAt]!.text)) {
      const range = rangeEnd(tokens, numberAt);
      reading.number = spanOf(tokens[numberAt]!.text, range);
      reading.take(at, range?.last ?? numberAt, "number");
    } else reading.take(at, found.last, "stop");
    reading.because(`${reading.quote(at, found.last)} is an edition, ${found.edition}`);
    return;
  }
}

function phraseAt(tokens: readonly Token[], at: number): { edition: string; last: number } | undefined {
  const [first, second, third] = [tokens[at]!, tokens[at + 1], tokens[at + 2]];
  const hyphened = isMark(second, "-") && third ? editionOf(`${first.key}-${third.key}`) : undefined;
  if (hyphened !== undefined) return { edition: hyphened, last: at + 2 };
  const double = second ? editionOf(`${first.key} ${second.key}`) : undefined;
  if (double !== undefined) return { edition: double, last: at + 1 };
  const single = editionOf(first.key);
  return single === undefined ? undefined : { edition: single, last: at };
}

function findKind(reading: Reading, role: "annual" | "special"): number | undefined {
  const { tokens } = reading;
  const strong = firstStrongNumber(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const word = tokens[at]!;
    const isJoined = role === "special" && isJoinedSpecial(tokens, at);
    if (word.kind !== "word" || (!isJoined && knownWord(word.key, false)?.role !== role)) continue;
    if (strong >= 0 && strong < at) return undefined;
    if (at > 0 && /^(?:the|an?)$/.test(tokens[at - 1]!.key)) continue;
    if (announces(tokens, at, isJoined ? at + 2 : at)) return at;
  }
  return undefined;
}

/** `Hors-série` is two words and a hyphen. */
function isJoinedSpecial(tokens: readonly Token[], at: number): boolean {
  if (!isMark(tokens[at + 1], "-") || tokens[at + 1]!.isSpaced || !tokens[at + 2]) return false;
  return knownWord(`${tokens[at]!.key}-${tokens[at + 2]!.key}`, false)?.role === "special";
}

/** A word announces only where the series' name has ended: before a number, a bracket, a dash or the end. */
function announces(tokens: readonly Token[], first: number, last: number): boolean {
  const next = tokens[last + 1];
  if (next === undefined || next.kind === "number" || shortYear(next) !== undefined) return true;
  if (first === 0) return isMark(next, "#");
  if (isMark(next, "#") || endsPhrase(next)) return !isDash(next) || next.isSpaced;
  const announced = announcementAt(tokens, last + 1);
  if (!announced) return mayBeginEdition(next.key);
  const { kind, text } = tokens[announced.numberAt] ?? { kind: "mark", text: "" };
  return kind === "number" || (kind === "word" && /^[IVX]+$/.test(text));
}

/** The number that follows, past number signs, number words, a volume and one bracket. */
function numberBehind(tokens: readonly Token[], at: number): number | undefined {
  let next = at + 1;
  const volume = tokens[next] && announcementAt(tokens, next);
  if (volume?.known.role === "volume") next = volume.numberAt + 1;
  if (tokens[next]?.kind === "bracket" && (isMark(tokens[next + 1], "#") || isNumber(tokens[next + 1]))) next++;
  const announced = tokens[next] && announcementAt(tokens, next);
  if (announced?.known.role === "issue" && isNumber(tokens[announced.numberAt])) return announced.numberAt;
  if (isDash(tokens[next]) && isNumber(tokens[next + 1])) next++;
  if (isMark(tokens[next], "#")) next++;
  return isNumber(tokens[next]) ? next : undefined;
}

function hashBehind(tokens: readonly Token[], at: number): number | undefined {
  const found = tokens.findIndex((token, index) => index > at && isMark(token, "#") && isNumber(tokens[index + 1]));
  return found < 0 ? undefined : found + 1;
}

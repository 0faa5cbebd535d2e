import { isPadded, plainNumber } from "../numbers.js";
import {
  countAfter,
  endsPhrase,
  firstStrongNumber,
  isDash,
  isMark,
  isMinus,
  isNumber,
  rangeEnd,
  takeNumber,
} from "./number-spans.js";
import type { Reading } from "../reading.js";
import type { Token } from "../tokens.js";
import {
  counterAt,
  counterPrefixes,
  joinedWords,
  knownWord,
  leadingCounters,
  partWords,
  type KnownWord,
} from "../vocabulary.js";

/** `#12`, `#B01`, `#-1`, `№5`. */
export function readHash(reading: Reading): void {
  const { tokens } = reading;
  if (reading.number !== undefined) return;
  for (let at = 0; at < tokens.length; at++) {
    if (!isMark(tokens[at], "#") && !isMark(tokens[at], "№")) continue;
    let next = at + 1;
    const letter = tokens[next]?.kind === "word" && /^[A-Z]$/.test(tokens[next]!.text) ? tokens[next]!.text : "";
    if (letter !== "" || isMark(tokens[next], "-")) next++;
    if (!isNumber(tokens[next]) || reading.isTaken(next)) continue;
    if (tokens[at - 1]?.key === "lgy") {
      reading.take(at - 1, next, "stop");
      reading.because(`${reading.quote(at - 1, next)} is the number by the older count`);
      continue;
    }
    const from = numberWordBefore(tokens, at) ?? at;
    const last = takeNumber(reading, next, { from });
    if (letter !== "") reading.number = plainNumber(letter + tokens[next]!.text);
    if (from === 0) leads(reading, last);
    reading.because(`${reading.quote(from, last)} is the number, after a number sign`);
    return;
  }
}

/** `issue #25`, `No. #3`. Two letters without a point are part of the title: `Dr. No #1`. */
function numberWordBefore(tokens: readonly Token[], signAt: number): number | undefined {
  const hasPoint = isMark(tokens[signAt - 1], ".") && !tokens[signAt - 1]!.isSpaced;
  const at = hasPoint ? signAt - 2 : signAt - 1;
  const word = tokens[at];
  if (word?.kind !== "word" || (!hasPoint && word.key.length < 3)) return undefined;
  const role = knownWord(word.key, false)?.role;
  return role === "issue" || role === "chapter" ? at : undefined;
}

/** A number at the very beginning: what follows is the series, or a title when the folder names the series. */
function leads(reading: Reading, last: number): void {
  if (last + 1 < reading.tokens.length) reading.numberLeads = true;
}

/** A word with the point, colon or number sign that may follow it, and the number behind. */
interface Announcement {
  readonly known: KnownWord;
  readonly numberAt: number;
  /** How many letters of the word belong to the series: Thai has no blanks. */
  readonly joinedLetters: number;
}

export function announcementAt(tokens: readonly Token[], at: number): Announcement | undefined {
  const word = tokens[at]!;
  if (word.kind !== "word") return undefined;
  let next = at + 1;
  const sign = tokens[next];
  if (sign?.kind === "mark" && !sign.isSpaced && /^[.:,]$/.test(sign.text)) next++;
  const isBrief = isNumber(tokens[next]) && (next > at + 1 || !tokens[next]!.isSpaced);
  if (isMark(tokens[next], "#") || isMark(tokens[next], "№")) next++;
  const joined = joinedWords.find((ending) => word.key.endsWith(ending));
  const known = knownWord(word.key, isBrief) ?? (joined === undefined ? undefined : knownWord(joined, false));
  return known && { known, numberAt: next, joinedLetters: joined ? word.text.length - joined.length : 0 };
}

/** `issue 25`, `no 12`, `Heft 13`, `Núm. 4`, `chapters 47-49`, `Ch.4`: the first of them. */
export function readNumberWord(reading: Reading): void {
  const { tokens } = reading;
  if (reading.number !== undefined) return;
  const strong = firstStrongNumber(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const found = announcementAt(tokens, at);
    if (!found || (found.known.role !== "issue" && found.known.role !== "chapter")) continue;
    const { known, numberAt, joinedLetters } = found;
    if (!isNumber(tokens[numberAt]) || reading.isTaken(numberAt)) continue;
    if (strong >= 0 && strong < at && (endsPhrase(tokens[strong + 1]) || strong === 0)) return;
    // `No. 6 v03`: with a volume behind it and nothing before it, it is the title.
    if (at === 0 && (reading.volumeAt ?? 0) > numberAt && reading.hints.series === undefined) continue;
    if (known.role === "issue" && (isOfTheTitle(tokens, numberAt) || isBeforeVolume(reading, numberAt))) {
      reading.because(`${reading.quote(at, numberAt)} belongs to the title: another number follows`);
      continue;
    }
    const last = takeNumber(reading, numberAt, { from: at, startsEarlier: -joinedLetters });
    asDecimal(reading, numberAt);
    if (at === 0) leads(reading, last);
    reading.because(`${reading.quote(at)} is a ${wordFor(known)} word, ${known.languages.slice(0, 4).join(", ")}`);
    if (last > numberAt && reading.kind === "collected") reading.because(`${reading.quote(numberAt, last)} is a range`);
    return;
  }
}

const wordFor = ({ role }: KnownWord) => (role === "issue" ? "number" : role);

/** `Kaiju No. 8 036`: a padded number follows at once, or alone between dashes. */
function isOfTheTitle(tokens: readonly Token[], numberAt: number): boolean {
  if (isPadded(tokens[numberAt]!.text)) return false;
  const [next, afterNext] = [tokens[numberAt + 1], tokens[numberAt + 2]];
  if (next?.kind === "bracket") return isNumber(afterNext) && isPadded(afterNext.text);
  if (isNumber(next) && next.isSpaced && /^\d{1,3}(?:\.\d)?$/.test(next.text)) return true;
  return (
    isDash(next) &&
    next!.isSpaced &&
    isNumber(afterNext) &&
    isPadded(afterNext.text) &&
    endsPhrase(tokens[numberAt + 3])
  );
}

/** `Kaiju No. 8 v03`: a volume that is written as publishers number them counts, not what stands before it. */
function isBeforeVolume(reading: Reading, numberAt: number): boolean {
  const [number, word, volume] = reading.tokens.slice(numberAt, numberAt + 3);
  return (
    reading.isVolume(numberAt + 1) && word!.isSpaced && /^\d{1,2}$/.test(number!.text) && /^0\d$/.test(volume!.text)
  );
}

/** `024-005`: no range, since it goes down, but a decimal. */
export function asDecimal(reading: Reading, at: number): void {
  const [whole, hyphen, part] = reading.tokens.slice(at, at + 3);
  if (reading.kind !== "issue" || !isMark(hyphen, "-") || hyphen!.isSpaced || !isNumber(part) || part.isSpaced) return;
  if (!/^\d+$/.test(whole!.text) || !/^0\d+$/.test(part.text)) return;
  reading.number = plainNumber(`${whole!.text}.${part.text}`);
  reading.take(at + 1, at + 2, "number");
}

/** `第3巻`, `12화`, `卷3`: counters behind a number or around it. */
export function readCounters(reading: Reading): void {
  const { tokens } = reading;
  for (let at = 0; at < tokens.length; at++) {
    if (!isNumber(tokens[at]) || reading.isTaken(at)) continue;
    const range = rangeEnd(tokens, at);
    const last = range?.last ?? at;
    const prefix = prefixBefore(tokens, at);
    const counter = counterBehind(tokens, last, prefix !== undefined);
    if (!counter) continue;
    const { from, startsEarlier } = reach(tokens, at, prefix);
    const end = counter.isWhole ? last + 1 : last;
    if (counter.role !== "volume") {
      if (reading.number !== undefined) continue;
      takeNumber(reading, at, { from, startsEarlier });
      if (counter.isWhole) reading.take(end, end, "number");
    } else {
      if (reading.volume !== undefined && reading.volume < 1850) continue;
      const number = Number(tokens[at]!.text);
      reading.volume = prefix === "全" ? 1 : number;
      if (prefix === "全" || range) reading.lastVolume = range ? Number(range.end.text) : number;
      reading.takeSpan({ first: from, last: end, startsEarlier }, "stop");
    }
    reading.because(`\`${counter.word}\` counts ${counter.role}s, ${counter.languages.join(", ")}`);
  }
}

function counterBehind(
  tokens: readonly Token[],
  at: number,
  hasPrefix: boolean,
): (KnownWord & { readonly word: string; readonly isWhole: boolean }) | undefined {
  const word = tokens[at + 1];
  if (word?.kind === "word") {
    const found = counterAt(word.key);
    const isWhole = found?.word === word.key;
    if (found && (isWhole ? found.word.length === 1 || !isNumber(tokens[at + 2]) : hasPrefix))
      return { ...found, isWhole };
  }
  return undefined;
}

/** The `第` of `第3巻`. */
function prefixBefore(tokens: readonly Token[], at: number): string | undefined {
  const word = tokens[at - 1];
  if (word?.kind !== "word") return undefined;
  const last = word.text.at(-1)!;
  return counterPrefixes.has(last) && (last === "第" || word.text.length === 1) ? last : undefined;
}

function reach(
  tokens: readonly Token[],
  at: number,
  prefix: string | undefined,
): { from: number; startsEarlier: number } {
  if (prefix === undefined) return { from: at, startsEarlier: 0 };
  return { from: at, startsEarlier: tokens[at]!.start - (tokens[at - 1]!.end - 1) };
}

/** `卷3`: a counter that stands before its number. */
export function readLeadingCounter(reading: Reading): void {
  const { tokens } = reading;
  for (let at = 1; at < tokens.length; at++) {
    const word = tokens[at - 1]!;
    if (!isNumber(tokens[at]) || reading.isTaken(at) || word.kind !== "word" || !leadingCounters.has(word.text))
      continue;
    const counter = counterAt(word.text)!;
    if (counter.role === "volume") {
      reading.volume ??= Number(tokens[at]!.text);
      reading.take(at - 1, at, "stop");
    } else if (reading.number === undefined) takeNumber(reading, at, { from: at - 1 });
    reading.because(`${reading.quote(at - 1)} counts ${counter.role}s, ${counter.languages.join(", ")}`);
    return;
  }
}

/** `3 of 6`, `3/6`, `3 von 6` without brackets. */
export function readCount(reading: Reading): void {
  const { tokens } = reading;
  if (reading.number !== undefined) return;
  for (let at = 1; at < tokens.length; at++) {
    if (!isNumber(tokens[at]) || reading.isTaken(at) || !countAfter(tokens, at)) continue;
    const isPart = at > 1 && partWords.has(tokens[at - 1]!.key);
    // `023 - High Tide, Part 2 of 4`
    if (isPart && tokens.slice(0, at).some((_, earlier) => beginsTitle(tokens, earlier))) return;
    const last = takeNumber(reading, at, { from: isPart ? at - 1 : at });
    reading.because(`${reading.quote(at, last)} is a number and the count`);
    return;
  }
}

/** `023 -`: what follows is a title. */
const beginsTitle = (tokens: readonly Token[], at: number) =>
  isNumber(tokens[at]) && tokens[at].isSpaced && isDash(tokens[at + 1]) && tokens[at + 1]!.isSpaced;

/** `001-006`, `12 – 14`: a range that no word announces. */
export function readRange(reading: Reading): void {
  const { tokens } = reading;
  if (reading.number !== undefined) return;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (!isNumber(token) || reading.isTaken(at) || isMinus(tokens, at) || !isFree(tokens, at)) continue;
    if (!rangeEnd(tokens, at)) continue;
    const isPart = at > 1 && partWords.has(tokens[at - 1]!.key);
    const last = takeNumber(reading, at, { from: isPart ? at - 1 : at });
    reading.because(`${reading.quote(at, last)} is a range: several issues, never the first of them`);
    return;
  }
}

/** Whether a number does not hang on a word or hyphen before it. */
const isFree = (tokens: readonly Token[], at: number) => tokens[at]!.isSpaced || isPadded(tokens[at]!.text);

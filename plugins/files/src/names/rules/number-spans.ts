import { isPadded, isYear, plainNumber } from "../numbers.js";
import type { Reading } from "../reading.js";
import type { Token } from "../tokens.js";
import { knownWord } from "../vocabulary.js";

const dashes = /^[-–—―‐~～〜]$/;

export const isDash = (token: Token | undefined): boolean => token?.kind === "mark" && dashes.test(token.text);
export const isMark = (token: Token | undefined, text: string): boolean =>
  token?.kind === "mark" && token.text === text;
export const isNumber = (token: Token | undefined): token is Token => token?.kind === "number";

/** Whether nothing of a phrase follows: the end, a bracket, or a sign that divides. */
export function endsPhrase(token: Token | undefined): boolean {
  return (
    token === undefined || token.kind === "bracket" || (token.kind === "mark" && /^[-–—~:;,+|#.]$/.test(token.text))
  );
}

/** The number with which a range that begins at a number ends, and where. */
export function rangeEnd(
  tokens: readonly Token[],
  at: number,
): { readonly last: number; readonly end: Token } | undefined {
  const [first, sign] = [tokens[at]!, tokens[at + 1]];
  if (!/^\d{1,4}(?:\.\d)?$/.test(first.text) || !sign) return undefined;
  const isWord = sign.kind === "word" && knownWord(sign.key, false)?.role === "to";
  if (sign.kind === "mark" && /^[&+,]$/.test(sign.text)) return listEnd(tokens, at);
  if (!isDash(sign) && !isWord) return undefined;
  let last = at + 2;
  if (isMark(tokens[last], "#")) last++;
  else if (tokens[last]?.kind === "word" && tokens[last]!.text.length < 4 && isNumber(tokens[last + 1])) last++;
  const end = tokens[last];
  if (!isNumber(end) || !/^\d{1,4}$/.test(end.text)) return undefined;
  const [from, to] = [Number(first.text), Number(end.text)];
  // `01-2019` is a number and a year.
  if (to <= from || from >= 1850 || (isYear(end.text) && to - from > 800)) return undefined;
  const isTight = !sign.isSpaced && !tokens[at + 2]!.isSpaced;
  // `Gate 7 - 012`: both ends of a range are written alike.
  if (!isTight && isPadded(end.text) && first.text.length < end.text.length) return undefined;
  if (!isTight && /^[2-9]$/.test(first.text) && end.text.length > 2 && !isAnnounced(tokens[at - 1])) return undefined;
  const after = tokens[last + 1];
  if (isDash(after) && !after!.isSpaced && isNumber(tokens[last + 2])) return undefined;
  // `Area 61 - 122 - Low Water`: the second number stands between dashes, alone.
  if (!isTight && isDash(after) && after!.isSpaced && first.text.length !== end.text.length) return undefined;
  return isTight || isWord || endsPhrase(after) ? { last, end } : undefined;
}

/** `Gate 7 - 140` is number 140 of "Gate 7"; `#7 - 140` and `Issues 7 - 140` are ranges. */
function isAnnounced(before: Token | undefined): boolean {
  if (before?.kind === "mark") return /^[#№.:]$/.test(before.text);
  return before === undefined || knownWord(before.key, true) !== undefined;
}

/** `12 & 13`, `012+013`, `1, 2, 3`: numbers that follow each other. What they belong to is not the first of them. */
function listEnd(tokens: readonly Token[], at: number): { readonly last: number; readonly end: Token } | undefined {
  let last = at;
  for (;;) {
    const [sign, next] = [tokens[last + 1], tokens[last + 2]];
    if (sign?.kind !== "mark" || !/^[&+,]$/.test(sign.text)) break;
    if (!isNumber(next) || Number(next.text) !== Number(tokens[last]!.text) + 1) break;
    last += 2;
  }
  return last > at && endsPhrase(tokens[last + 1]) ? { last, end: tokens[last]! } : undefined;
}

/** `of 6` behind a number: how many there are, and where that ends. */
export function countAfter(
  tokens: readonly Token[],
  at: number,
): { readonly last: number; readonly count: number } | undefined {
  const [sign, total] = [tokens[at + 1], tokens[at + 2]];
  if (!sign || !isNumber(total) || !/^\d{1,3}$/.test(total.text)) return undefined;
  const isOf = isMark(sign, "/") || (sign.kind === "word" && knownWord(sign.key, false)?.role === "of");
  if (!isOf || Number(tokens[at]!.text) > Number(total.text)) return undefined;
  const after = tokens[at + 3];
  return endsPhrase(after) || (isNumber(after) && isYear(after.text))
    ? { last: at + 2, count: Number(total.text) }
    : undefined;
}

/** How far before a number that begins which belongs to it. */
interface Reach {
  /** The first token, such as the word that announces the number. */
  readonly from?: number;
  /** How many characters before that token it begins. */
  readonly startsEarlier?: number;
}

/**
 * Makes a number the issue's, with the range or count that it begins.
 * @returns the last token that belongs to it
 */
export function takeNumber(reading: Reading, at: number, { from = at, startsEarlier = 0 }: Reach = {}): number {
  const { tokens } = reading;
  const token = tokens[at]!;
  const range = rangeEnd(tokens, at);
  const counted = range ? undefined : countAfter(tokens, at);
  const last = range?.last ?? counted?.last ?? at;
  const isNegative = isDash(tokens[at - 1]) && from < at && !token.isSpaced && !isPadded(token.text);
  reading.number = plainNumber(isNegative && isMinus(tokens, at) ? `-${token.text}` : token.text);
  if (range) {
    const [low, high] = [Number(token.text), Number(range.end.text)];
    reading.number = `${low}-${high}`;
    reading.kind = "collected";
  }
  if (counted) reading.count = counted.count;
  reading.takeSpan({ first: from, last, startsEarlier }, "number");
  return last;
}

/** A hyphen is a minus sign only behind a blank or a `#`. */
export function isMinus(tokens: readonly Token[], at: number): boolean {
  const hyphen = tokens[at - 1];
  if (!isMark(hyphen, "-") || tokens[at]!.isSpaced) return false;
  return hyphen!.isSpaced || isMark(tokens[at - 2], "#");
}

/** A number that stands so early and so clearly that what follows it is a title: `#12`, `003 -`, `001-006`. */
export function firstStrongNumber(tokens: readonly Token[]): number {
  return tokens.findIndex((token, at) => {
    if (!isNumber(token)) return false;
    const before = tokens[at - 1];
    if (isMark(before, "#")) return true;
    return isPadded(token.text) && (token.isSpaced || before?.kind !== "word");
  });
}

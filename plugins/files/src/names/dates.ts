import type { Token } from "./tokens.js";
import { isYear } from "./numbers.js";
import { monthOf, seasonsOfYear } from "./vocabulary.js";

/** As much of a date as a name says. `month` is 1 to 12, `day` 1 to 31. */
export interface NameDate {
  readonly year: number;
  readonly month: number | undefined;
  readonly day: number | undefined;
}

/** What may stand with a date in its bracket: `(Gantrywick, Nov 1952)`. More words than this are a sentence. */
const mostWords = 5;

/**
 * The date that a bracket holds: `2019`, `2019-05`, `08-1948`, `Spring 1963`, `12 Jul 1952`, `Gantrywick, Nov 1952`.
 */
export function dateIn(tokens: readonly Token[]): NameDate | undefined {
  if (tokens.length === 0 || tokens.length > 12) return undefined;
  const parts = tokens.flatMap(numbersOf);
  const yearAt = parts.findIndex(({ text, isWhole }) => isWhole && isYear(text));
  if (yearAt < 0) return undefined;
  const words = tokens.filter(({ kind }) => kind === "word");
  const monthWord = words.find(({ key }) => monthOf(key) !== undefined);
  const others = words.filter(({ key }) => monthOf(key) === undefined && !seasonsOfYear.has(key));
  const atEdge = isYearOf(tokens[0]!) || isYearOf(tokens.at(-1)!);
  if (others.length > 0 && (!atEdge || others.length > mostWords)) return undefined;
  const year = Number(parts[yearAt]!.text);
  const numbers = parts
    .filter((_part, at) => at !== yearAt && !isYear(parts[at]!.text))
    .map(({ text }) => Number(text));
  if (monthWord) return dateOf(year, monthOf(monthWord.key), numbers[0]);
  if (others.length > 0 || numbers.length === 0) return dateOf(year, undefined, undefined);
  return dateOf(year, numbers[0], numbers[1]);
}

function isYearOf(token: Token): boolean {
  return token.kind === "number" && isYear(token.text);
}

/** `200411`, `20041103`. */
const joinedDate = /^(18[5-9]\d|19\d\d|20[0-4]\d)(0[1-9]|1[0-2])(\d\d)?$/;

/** A number with points may be a date: `1952.05.12`. */
function numbersOf({ kind, text }: Token): Array<{ text: string; isWhole: boolean }> {
  if (kind !== "number") return [];
  if (/^\d{1,4}(?:\.\d{1,4}){1,2}$/.test(text)) return text.split(".").map((part) => ({ text: part, isWhole: true }));
  const joined = joinedDate.exec(text);
  if (joined) return joined.slice(1).flatMap((part) => (part === undefined ? [] : [{ text: part, isWhole: true }]));
  return [{ text, isWhole: /^\d+$/.test(text) }];
}

function dateOf(year: number, month: number | undefined, day: number | undefined): NameDate {
  const isMonth = month !== undefined && month >= 1 && month <= 12;
  const isDay = isMonth && day !== undefined && day >= 1 && day <= 31;
  return { year, month: isMonth ? month : undefined, day: isDay ? day : undefined };
}

/** A date in the open, and how many tokens it takes. */
export interface OpenDate extends NameDate {
  readonly length: number;
}

/** `2006-12-00`, `2021-08-04`, `2019-05`: a date in numbers that begins at a token. */
export function numericDateAt(tokens: readonly Token[], at: number): OpenDate | undefined {
  const [year, first, month, second, day] = tokens.slice(at, at + 5);
  if (!year || !isYearOf(year) || !isJoined(first) || !isTwoDigits(month)) return undefined;
  if (Number(month!.text) > 12) return undefined;
  if (isJoined(second) && isTwoDigits(day) && Number(day!.text) <= 31)
    return { ...dateOf(Number(year.text), Number(month!.text), Number(day!.text)), length: 5 };
  return { ...dateOf(Number(year.text), Number(month!.text), undefined), length: 3 };
}

const isJoined = (token: Token | undefined) => token !== undefined && !token.isSpaced && /^[-./]$/.test(token.text);
const isTwoDigits = (token: Token | undefined) => token !== undefined && !token.isSpaced && /^\d\d$/.test(token.text);

/** `Oct 1952`, `Sep-Oct 1951`, `Spring 1963`: a month or season and a year that begin at a token. */
export function writtenDateAt(tokens: readonly Token[], at: number): OpenDate | undefined {
  const first = tokens[at]!;
  const month = monthOf(first.key);
  if (first.kind !== "word" || (month === undefined && !seasonsOfYear.has(first.key))) return undefined;
  for (let length = 2; length <= 5; length++) {
    const token = tokens[at + length - 1];
    if (!token) return undefined;
    if (isYearOf(token)) return { ...dateOf(Number(token.text), month, undefined), length };
    if (token.kind !== "mark" && monthOf(token.key) === undefined) return undefined;
  }
  return undefined;
}

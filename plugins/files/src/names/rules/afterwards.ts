import { numericDateAt, writtenDateAt } from "../dates.js";
import { isYear, isYearLike } from "../numbers.js";
import { endsPhrase, isDash, isNumber } from "./number-spans.js";
import type { Reading } from "../reading.js";
import { notes } from "../vocabulary.js";

/** Dates without brackets: `2021-08-04`, `Oct 1952`. */
export function readOpenDate(reading: Reading): void {
  const { tokens } = reading;
  for (let at = 1; at < tokens.length; at++) {
    const found = numericDateAt(tokens, at) ?? writtenDateAt(tokens, at);
    if (!found) continue;
    reading.take(at, at + found.length - 1, "stop");
    reading.date ??= { year: found.year, month: found.month, day: found.day };
    reading.because(`${reading.quote(at, at + found.length - 1)} is a date`);
    return;
  }
}

/** `Weekly 2019-34`: no month, so that it is the issue of that week; another year has the same. */
export function readWeek(reading: Reading): void {
  const { tokens } = reading;
  if (reading.number !== undefined) return;
  for (let at = 1; at + 2 < tokens.length; at++) {
    const [year, hyphen, week] = tokens.slice(at, at + 3);
    if (!isNumber(year) || !isYear(year.text) || !isNumber(week) || reading.isTaken(at)) continue;
    if (hyphen!.text !== "-" || hyphen!.isSpaced || week.isSpaced || !endsPhrase(tokens[at + 3])) continue;
    if (!/^(?:1[3-9]|[2-4]\d|5[0-3])$/.test(week.text)) continue;
    reading.number = `${year.text}.${week.text}`;
    reading.date ??= { year: Number(year.text), month: undefined, day: undefined };
    reading.take(at, at + 2, "number");
    reading.because(`${reading.quote(at, at + 2)} is a week of a year`);
    return;
  }
}

/** `c2c`, `digital`, `repaired` behind the number, or at the end. */
export function readNotes(reading: Reading): void {
  const { tokens } = reading;
  const from = lastTaken(reading);
  for (let at = tokens.length - 1; at > from; at--) {
    const token = tokens[at]!;
    if (token.kind === "word" && notes.has(token.key) && at > 0 && !reading.isTaken(at)) {
      reading.take(at, at, "stop");
      reading.because(`${reading.quote(at)} is a scan note`);
    }
  }
}

function lastTaken(reading: Reading): number {
  return reading.tokens.findIndex((token, at) => token.kind !== "bracket" && reading.isTaken(at));
}

/** A year behind the number or the volume: `#12 2013`, `.007.2019.`. */
export function readYearBehind(reading: Reading): void {
  const { tokens } = reading;
  const from = lastTaken(reading);
  if (from < 0) return;
  for (let at = from + 1; at < tokens.length; at++) {
    if (!isNumber(tokens[at]) || !isYear(tokens[at]!.text) || reading.isTaken(at)) continue;
    if (!endsPhrase(tokens[at + 1]) && !reading.isTaken(at + 1) && !reading.isTaken(at - 1)) continue;
    reading.take(at, at, "stop");
    reading.date ??= { year: Number(tokens[at]!.text), month: undefined, day: undefined };
    reading.because(`${reading.quote(at)} is a year`);
    return;
  }
}

/** How many words a name has that is an anthology's: what follows its colon is a story. */
const anthologyWords = 7;

/**
 * `Harbour 2099 - Homecoming #02`: the words between a year in the future, or the colon of a long name, and `#` are a
 * title.
 */
export function readTitleBeforeNumber(reading: Reading): void {
  const { tokens } = reading;
  const sign = tokens.findIndex(({ kind, text }) => kind === "mark" && text === "#");
  if (sign < 0 || !reading.isTaken(sign)) return;
  for (let at = 1; at < sign; at++) {
    const [before, mark] = [tokens[at - 1]!, tokens[at]!];
    const isFuture =
      isDash(mark) && mark.isSpaced && isNumber(before) && isYearLike(before.text) && !isYear(before.text);
    const isAnthology =
      mark.text === ":" && tokens.slice(0, at).filter(({ kind }) => kind === "word").length >= anthologyWords;
    if (!isFuture && !isAnthology) continue;
    reading.seriesStop = mark.start;
    reading.title = reading.text.slice(mark.end, tokens[sign]!.start);
    reading.because(`${reading.quote(at + 1, sign - 1)} is a title before the number`);
    return;
  }
}

/** `52 Moth_Patrol_#2`: where underscores stand for blanks, what a blank divides off is a number of another count. */
export function readAlternateNumber(reading: Reading): void {
  const first = reading.tokens[0];
  if (!reading.hasUnderscores || !isNumber(first) || !reading.tokens[1]?.isSpaced) return;
  if (reading.fileName[first.end] !== " " || reading.fileName.split(" ").length !== 2) return;
  reading.take(0, 0, "lead");
  reading.because(`${reading.quote(0)} counts something else`);
}

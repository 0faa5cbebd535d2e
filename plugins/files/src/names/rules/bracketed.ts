import { dateIn } from "../dates.js";
import { editionOf } from "../editions.js";
import { isYear, plainNumber } from "../numbers.js";
import type { Reading } from "../reading.js";
import { tokenize, type Token } from "../tokens.js";
import { knownWord, notes } from "../vocabulary.js";

/** Tells what one bracket is, or nothing; the first that knows it decides. */
type BracketRule = (content: string, reading: Reading, at: number) => string | undefined;

const rules: readonly BracketRule[] = [providerId, count, volume, date, edition, note, numbered];

/** Takes the brackets out of a name. What none of the rules knows is a tag, such as a group. */
export function readBrackets(reading: Reading): void {
  const { tokens } = reading;
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "bracket") continue;
    const isLeading = tokens.slice(0, Math.min(at, 8)).every(({ kind }) => kind === "bracket") && at < 8;
    let said: string | undefined;
    for (const rule of rules) if ((said = rule(token.text, reading, at)) !== undefined) break;
    if (said === undefined && token.text !== "") {
      reading.tags.push(token.text.replace(/^[_\s]+|[_\s]+$/g, ""));
      said = isLeading ? "is a group before the name" : "is a tag";
    }
    const isNumber = said?.startsWith("is the number") ?? false;
    reading.take(at, at, isLeading ? "lead" : isNumber ? "number" : "stop");
    if (said !== undefined && token.text.length < 80) reading.because(`${reading.quote(at)} ${said}`);
  }
}

function providerId(content: string, reading: Reading): string | undefined {
  const id = /^(cvdb|cv|comicvine)[ _-]?(?:(4000|4050)-)?(\d{1,12})$/i.exec(content);
  if (!id) return undefined;
  if (id[2] === "4000" || /^cvdb$/i.test(id[1]!)) reading.cvIssueId = Number(id[3]);
  else reading.cvId = Number(id[3]);
  return "is the provider's id";
}

/** `(of 6)`, `(2 of 6)`, `(2/6)`. */
function count(content: string, reading: Reading): string | undefined {
  const found = /^#?(\d{1,4}(?:\.\d)?)?\s*(?:([^\d\s]{1,4})\s*|\/\s*)(\d{1,4})$/u.exec(content);
  if (!found) return undefined;
  const isCount =
    found[2] === undefined ? found[1] !== undefined : knownWord(found[2].toLowerCase(), false)?.role === "of";
  if (!isCount || Number(found[1] ?? 0) > Number(found[3])) return undefined;
  reading.count = Number(found[3]);
  if (found[1] === undefined) return `says that there are ${reading.count}`;
  if (reading.number !== undefined) return "is a count";
  reading.number = plainNumber(found[1]);
  return `is the number ${reading.number} of ${reading.count}`;
}

/** `(#02)`, `(#1-12)`, `(001-012)`, `(Ch.071-079)`. */
function numbered(content: string, reading: Reading, at: number): string | undefined {
  const found =
    /^(#|[\p{L}º°]{1,10}[.:]?)?\s*(-?\d{1,4}(?:\.\d{1,3})?[\w½¼¾]?)(?:\s*[-–~]\s*#?(\d{1,4})(?:\s*\+.{1,20})?)?$/u.exec(
      content,
    );
  if (!found || reading.number !== undefined) return undefined;
  if (found[1] === undefined && found[3] === undefined && !isSoleNumber(reading, content)) return undefined;
  if (found[1] === "#" && found[3] === undefined && isBehindNumber(reading.tokens, at))
    return "is the same issue by an older count";
  const word = found[1]?.replace(/[.:]$/, "").toLowerCase() ?? "#";
  const role = word === "#" ? "issue" : knownWord(word, true)?.role;
  if (role !== "issue" && role !== "chapter") return undefined;
  if (found[3] === undefined) {
    reading.number = plainNumber(found[2]!);
    return `is the number ${reading.number}`;
  }
  if (Number(found[3]) <= Number(found[2]) || Number(found[2]) >= 1850) return undefined;
  reading.number = `${plainNumber(found[2]!)}-${plainNumber(found[3])}`;
  reading.kind = "collected";
  return "is the number of several issues";
}

/** `Moth Patrol 004 (#804)`: series that were counted from the beginning once more name both. */
function isBehindNumber(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return at > 1 && before?.kind === "number" && before.isSpaced && /^0*\d{1,3}$/.test(before.text);
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** `X-Kites (02)`, `紙の翼 (3)`: nothing else in the name can be its number. `Moth Patrol (1)` may be a copy. */
function isSoleNumber({ tokens, text: name }: Reading, content: string): boolean {
  if (/^\d$/.test(content) && !eastAsian.test(name)) return false;
  return /^\d{1,3}$/.test(content) && !tokens.some(({ kind, text }) => kind === "number" && !isYear(text));
}

function volume(content: string, reading: Reading): string | undefined {
  const found = /^([\p{L}]{1,10})\.?\s*(\d{1,4})(?:\s*[-–]\s*\D?(\d{1,3}))?$/u.exec(content);
  const role = found && knownWord(found[1]!.toLowerCase(), true)?.role;
  if (!found || (role !== "volume" && role !== "season")) return undefined;
  if (role === "season") return "is a season";
  reading.volume = Number(found[2]);
  if (found[3] !== undefined) reading.lastVolume = Number(found[3]);
  return "is a volume";
}

function date(content: string, reading: Reading, at: number): string | undefined {
  const found = content.length > 60 || content.includes("#") ? undefined : dateIn(tokenize(content));
  if (!found) return undefined;
  const isFirst = reading.date === undefined;
  if (isFirst && isBeforeNumber(reading.tokens, at)) reading.volume ??= found.year;
  reading.date = found;
  return found.month === undefined ? "is a year" : "is a date";
}

/** The year before a number is that of the volume: `Moth Patrol (2019) 001`. */
function isBeforeNumber(tokens: readonly Token[], at: number): boolean {
  if (at === 0) return false;
  const [next, afterNext] = [tokens[at + 1], tokens[at + 2]];
  if (next?.kind === "mark" && /^[#-]$/.test(next.text)) return afterNext?.kind === "number";
  return next?.kind === "number";
}

function edition(content: string, reading: Reading): string | undefined {
  const found = content.length > 30 ? undefined : editionOf(content.toLowerCase());
  if (found === undefined) return undefined;
  reading.edition ??= found;
  return `is an edition, ${found}`;
}

function note(content: string, reading: Reading): string | undefined {
  const word = /^[\w]+/.exec(content)?.[0].toLowerCase() ?? "";
  if (!notes.has(word) && !/^\d{1,5}\s?(?:px|p|pp|pages?|covers?)$/i.test(content)) return undefined;
  reading.tags.push(content);
  return "is a scan note";
}

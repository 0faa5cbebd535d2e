import { notes, ordinals } from "./vocabulary.js";

/** A piece of a name. */
export interface Token {
  readonly kind: "word" | "number" | "mark" | "bracket";
  /** As written; of a bracket what is inside. */
  readonly text: string;
  /** In small letters, for tables. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Whether a blank, or nothing, stands before it. */
  readonly isSpaced: boolean;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "【": "】", "《": "》", "「": "」" };
const marks = new Set('～〜-–—―‐~#&+.,:;!?/\\|=*@$%^"“”„«»<>()[]{}【】《》「」『』、。，！？：；…·•№');
const markCodes = new Set(Array.from(marks, (mark) => mark.charCodeAt(0)));
const asciiEnds = Array.from({ length: 128 }, (_, code) => code <= 32 || markCodes.has(code));
const blanks = /\s/;

/** Whether a character is a blank or a sign. */
const endsWord = (code: number) => (code < 128 ? asciiEnds[code]! : markCodes.has(code) || code === 0xa0);
const number = /(?:\d+(?:[.,]\d+)*[½¼¾⅓⅔]?|[½¼¾⅓⅔])/y;
/** What belongs to a number that it follows: `.MU`, `-a`, ` extra`, `B`. */
const extra =
  /[.,\- ]?(?:extra|omake|special)(?=vol|[^a-z]|$)|[.,-][a-hA-H](?![\p{L}\p{N}])|\.[A-Z]{2,4}(?![\p{L}\p{N}])/uy;
const letters = /[A-Za-z]+/y;

/** Divides a name into words, numbers, signs and brackets, in one pass. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (blanks.test(character)) {
      at++;
      continue;
    }
    const token = bracketAt(text, at) ?? markAt(text, at) ?? numberAt(text, at) ?? wordAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function token(text: string, kind: Token["kind"], [start, end]: readonly [number, number]): Token {
  const written = kind === "bracket" ? insideOf(text.slice(start, end)) : text.slice(start, end);
  const isSpaced = start === 0 || blanks.test(text[start - 1]!);
  return { kind, text: written, key: written.toLowerCase(), start, end, isSpaced };
}

function insideOf(bracket: string): string {
  const isClosed = bracket.length > 1 && closing[bracket[0]!] === bracket.at(-1);
  return bracket.slice(1, isClosed ? -1 : undefined).trim();
}

/** From a bracket to the one that closes it, or to the end of the name when none does. */
function bracketAt(text: string, start: number): Token | undefined {
  const open = text[start]!;
  const close = closing[open];
  if (close === undefined || isInsideWord(text, start, close)) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return token(text, "bracket", [start, at + 1]);
  }
  return token(text, "bracket", [start, text.length]);
}

/** `(un)Lucky` is a word. */
function isInsideWord(text: string, start: number, close: string): boolean {
  if (close !== ")") return false;
  const end = start + 1 + /^[A-Za-z]{0,6}/.exec(text.slice(start + 1, start + 8))![0].length;
  return end > start + 1 && text[end] === ")" && /[a-z]/i.test(text[end + 1] ?? " ");
}

function markAt(text: string, at: number): Token | undefined {
  return marks.has(text[at]!) ? token(text, "mark", [at, at + 1]) : undefined;
}

function numberAt(text: string, start: number): Token | undefined {
  number.lastIndex = start;
  const found = number.exec(text);
  if (!found) return undefined;
  let end = start + found[0].length;
  letters.lastIndex = end;
  const run = letters.exec(text)?.[0] ?? "";
  // `S01E05`: the letter announces the next number.
  if (run !== "" && isDigit(text[end + run.length] ?? " ") && run.length < 3)
    return token(text, "number", [start, end]);
  if (run === "") {
    extra.lastIndex = end;
    end += extra.exec(text)?.[0].length ?? 0;
  } else if (/^(?:extra|omake|special)/i.test(run)) end += /^special/i.test(run) ? 7 : 5;
  else if (ordinals.has(run.toLowerCase()) || run.length > 2 || /^[234][dk]$/i.test(found[0] + run))
    return /^v(?:ol)?$/i.test(run)
      ? token(text, "number", [start, end])
      : token(text, "word", [start, wordEnd(text, end)]);
  else if (!/^v$/i.test(run)) end += run.length;
  return token(text, "number", [start, end]);
}

function wordAt(text: string, start: number): Token {
  const first = text[start]!;
  if (first === "'" || first === "’") return token(text, "word", [start, wordEnd(text, start)]);
  let end = start + 1;
  while (end < text.length && !endsWord(text.charCodeAt(end)) && !isDigit(text[end]!)) end++;
  // A note may have a digit inside: `c2c`.
  if (end < text.length && isDigit(text[end]!) && end - start < 4) {
    const noteEnd = Math.min(text.length, end + 8);
    let noted = end;
    while (noted < noteEnd && !endsWord(text.charCodeAt(noted))) noted++;
    if (notes.has(text.slice(start, noted).toLowerCase())) end = noted;
  }
  return token(text, "word", [start, end]);
}

/** The end of the letters and digits that begin here, with the apostrophes among them. */
function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !endsWord(text.charCodeAt(end))) end++;
  return end;
}

const isDigit = (character: string) => character >= "0" && character <= "9";

import { foldText, foldTitle } from "@longbox/sdk/light";
import type { IssueKind } from "./issue-kind.js";

/** An issue number, understood. */
export interface IssueNumber {
  readonly kind: IssueKind;
  /** As people write it: `1`, `½`, `1A`, `Annual 1`. Leading zeros are gone. */
  readonly text: string;
  /** The numeric value, undefined for numbers such as `X` or `∞`. */
  readonly value: number | undefined;
  /** Sorts naturally as plain text, kinds apart; the same number of the same kind has the same key. */
  readonly sortKey: string;
}

const fractions: Readonly<Record<string, string>> = {
  "¼": "25",
  "½": "5",
  "¾": "75",
  "⅓": "333",
  "⅔": "667",
  "⅕": "2",
  "⅖": "4",
  "⅗": "6",
  "⅘": "8",
  "⅙": "167",
  "⅚": "833",
  "⅛": "125",
  "⅜": "375",
  "⅝": "625",
  "⅞": "875",
};
/** Fractions as they are typed where the sign is not at hand. */
const typedFractions: Readonly<Record<string, string>> = { "1/4": "¼", "1/2": "½", "3/4": "¾", "1/3": "⅓", "2/3": "⅔" };
const kindRank: Readonly<Record<IssueKind, string>> = {
  issue: "0",
  annual: "1",
  special: "2",
  "one-shot": "3",
  collected: "4",
};
const kindPrefixes: ReadonlyArray<readonly [RegExp, IssueKind]> = [
  [/^annual(?:\s*#|\s+|(?=\d)|$)/i, "annual"],
  [/^special(?:\s*#|\s+|(?=\d)|$)/i, "special"],
];
const shape = new RegExp(
  `^([^\\d.${Object.keys(fractions).join("")}-]*)(-?)(\\d*)(?:\\.(\\d+)|([${Object.keys(fractions).join("")}]))?(.*)$`,
  "su",
);

/**
 * Understands an issue number as file names, tags and providers write it.
 * @param kind - What the source says it is; a number that begins with "Annual" or "Special" says so itself
 */
export function parseIssueNumber(written: string, kind: IssueKind = "issue"): IssueNumber {
  let rest = written
    .normalize("NFC")
    .trim()
    .replace(/^[#\s]+/, "")
    .replace(/−/g, "-")
    .replace(/^(\d+ )?(\d\/\d)$/, (whole, before: string | undefined, typed: string) =>
      typedFractions[typed] === undefined ? whole : `${before?.trim() ?? ""}${typedFractions[typed]}`,
    );
  let found = kind;
  for (const [pattern, says] of kindPrefixes) {
    const stripped = rest.replace(pattern, "").trim();
    if (stripped === rest) continue;
    rest = stripped;
    if (kind === "issue") found = says;
    break;
  }
  const parts = take(rest);
  const text =
    found === "annual"
      ? `Annual ${parts.text}`.trim()
      : found === "special" && kind === "issue"
        ? `Special ${parts.text}`.trim()
        : parts.text;
  return { kind: found, text, value: parts.value, sortKey: kindRank[found] + parts.key };
}

const seriesOfKind: ReadonlyArray<readonly [IssueKind, RegExp]> = [
  ["annual", /. (?:annuals?|jahresband|annuel|anuario|anual|annuale|annuario|jaarboek|arsbok|ежегодник)$/u],
  ["special", /. (?:specials?|speciale?|especial|sonderheft|sonderband|hors serie)$/u],
];

/** The kind that all issues of a series are of by its title, such as "Moth Patrol Annual": providers keep them so. */
export function kindOfSeries(title: string): IssueKind | undefined {
  const folded = foldTitle(title);
  return seriesOfKind.find(([, pattern]) => pattern.test(folded))?.[0];
}

/** In a series of annuals, their numbers are plain: what a file calls `Annual 8` is the 8 of "Moth Patrol Annual". */
export function numberWithin(title: string, number: IssueNumber): IssueNumber {
  if (number.kind === "issue" || number.kind !== kindOfSeries(title)) return number;
  return withoutKind(number);
}

/** The same number of a regular issue. */
export function withoutKind({ text }: IssueNumber): IssueNumber {
  return parseIssueNumber(text.replace(/^(?:Annual|Special)\s*/, ""));
}

/**
 * The same for numbers that mean the same issue of a series, however they are written: `#007` and `7`, `½` and `0.5`.
 */
export function foldIssueNumber(number: string): string {
  return parseIssueNumber(number).sortKey;
}

function take(rest: string): { text: string; value: number | undefined; key: string } {
  const match = shape.exec(rest);
  const [, lead = "", sign = "", digits = "", decimals, glyph, tail = ""] = match ?? [];
  if (!match || (digits === "" && decimals === undefined && glyph === undefined))
    return { text: rest, value: undefined, key: `c${fold(rest)}` };
  const whole = digits.replace(/^0+(?=\d)/, "") || "0";
  const part = (decimals ?? (glyph ? fractions[glyph] : undefined) ?? "").replace(/^0+$/, "");
  const value = Number(`${sign}${whole}${part ? `.${part}` : ""}`);
  const text =
    `${lead}${sign}${digits === "" ? (decimals === undefined ? "" : "0") : whole}${decimals !== undefined && part !== "" ? `.${decimals}` : ""}${glyph ?? ""}${tail}`.trim();
  const extra = fold(tail) + (lead.trim() === "" ? "" : `<${fold(lead)}`);
  return { text, value, key: magnitude(sign === "-" && value !== 0, whole, part) + (extra === "" ? "" : `:${extra}`) };
}

/** Text that sorts like the number: the count of digits first, all of it mirrored below zero. */
function magnitude(negative: boolean, whole: string, part: string): string {
  const text = `${String(Math.min(whole.length, 99)).padStart(2, "0")}${whole}${part === "" ? "" : `.${part}`}`;
  if (!negative) return `b${text}`;
  return `a${text.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

const fold = (text: string) => foldText(text).replace(/^[\s.,:_-]+/, "");

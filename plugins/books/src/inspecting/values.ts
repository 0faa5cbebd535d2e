import type { PartialDate } from "@longbox/files/contract";

const longestTitle = 1000;
const longestDescription = 20_000;

/** One line of text without control characters; undefined when nothing is left. */
export function lineOf(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, longestTitle * 4)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0020\u007f\u0085\u00a0\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, longestTitle);
  return line === undefined || line === "" ? undefined : line;
}

/** `1`, `2.5`; without zeros that say nothing: `2` for `02.0`. Undefined for what is no position. */
export function positionOf(text: string | undefined): string | undefined {
  const match = /^\s*(\d{1,5})(?:[.,](\d{1,3}))?(?:\.\d{1,3})*\s*$/u.exec(text ?? "");
  if (!match) return undefined;
  return String(Number(`${match[1]}.${match[2] ?? "0"}`));
}

/**
 * A date as standards and people write it: `2019`, `2019-03`, `2019-03-07T00:00:00Z`. Years before 1000 stand for
 * unknown.
 */
export function dateOf(text: string | undefined): PartialDate | undefined {
  const match = /^\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)/u.exec(text ?? "");
  const year = Number(match?.[1] ?? Number.NaN);
  if (!match || !(year >= 1000 && year <= 2999)) return undefined;
  const [month, day] = [Number(match[2] ?? Number.NaN), Number(match[3] ?? Number.NaN)];
  if (!(month >= 1 && month <= 12)) return { year };
  return day >= 1 && day <= 31 ? { year, month, day } : { year, month };
}

/** A BCP 47 tag: `en` for `eng`, `en-GB` for `en_GB`; undefined for what names no language. */
export function languageOf(text: string | undefined): string | undefined {
  const tag = text?.trim().replaceAll("_", "-");
  if (tag === undefined || tag === "" || tag.length > 35 || /^(?:und|mul|zxx)$/iu.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // Many books name their language in words.
    return undefined;
  }
}

/**
 * The 10 or 13 digits of an ISBN in a text that says it is one, or that is nothing else. The collection checks them.
 */
export function isbnOf(text: string | undefined): string | undefined {
  const digits = text
    ?.slice(0, 100)
    .replace(/^\s*(?:urn:)?isbn(?:-1[03])?:?\s*/iu, "")
    .replaceAll(/[\s\u2010-\u2015-]/gu, "")
    .toUpperCase();
  return digits !== undefined && /^(?:97[89]\d{10}|\d{9}[\dX])$/u.test(digits) ? digits : undefined;
}

/** Amazon's own ids begin with B; files that calibre made have a UUID in its place. */
export function asinOf(text: string | undefined): string | undefined {
  const id = text?.trim().toUpperCase();
  return id !== undefined && /^B[\dA-Z]{9}$/u.test(id) ? id : undefined;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

/** Descriptions come as HTML or as text: what is left is plain text in paragraphs, without any markup. */
export function plainDescription(html: string | undefined): string | undefined {
  const text = html
    ?.slice(0, longestDescription * 4)
    .replaceAll(/<(script|style)\b[^<>]*>[^<]*/giu, "")
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/giu, "\n")
    .replaceAll(/<[a-z!/?][^<>]*>/giu, "")
    .replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/giu, entityOf)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0009\u000b-\u0020\u00a0]+/gu, " ")
    .replaceAll(/ ?\n[ \n]*/gu, "\n")
    .trim();
  return text === undefined || text === "" ? undefined : text.slice(0, longestDescription);
}

/** @param whole - `&amp;`, `&#38;` or `&#x26;` */
function entityOf(whole: string): string {
  const name = whole.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return entities[name] ?? whole;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}

import { readBrackets, readDate, type Bracketed } from "./bracketed.js";
import { bracketedNumber, findNumber, type NameHints } from "./find-number.js";
import { collectedEdition, patterns } from "./markers.js";
import type { ParsedName } from "./parsed-name.js";

/** Reads a file's name: series, number, volume, date, edition. It never throws; what it cannot tell stays undefined. */
export function parseName(fileName: string, hints: NameHints = {}): ParsedName {
  const brackets = readBrackets(tidied(fileName));
  const { text, date } = withoutBareDate(brackets.text);
  const edition = collectedEdition(text) ?? brackets.tags.map(collectedEdition).find((label) => label !== undefined);
  const found =
    brackets.number === undefined ? findNumber(text, hints, edition) : bracketedNumber(brackets.number, text);
  const series = seriesName(text.slice(0, found.seriesEnd));
  const oneShot = patterns.oneShot.test(fileName);
  return {
    series,
    number: found.number,
    kind: oneShot && found.kind === "issue" ? "one-shot" : found.kind,
    volume: found.volume ?? brackets.volume ?? brackets.volumeYear,
    year: brackets.year ?? date?.year,
    month: brackets.month ?? date?.month,
    day: brackets.day ?? date?.day,
    count: found.count ?? brackets.count,
    title: found.titleStart === undefined ? undefined : titleOf(text.slice(found.titleStart)),
    edition,
    tags: brackets.tags,
    cvIssueId: brackets.cvIssueId,
  };
}

/** What a folder's name says of its series: `Moth Patrol (2019) [cv-4711]`. */
export function parseFolderName(name: string): {
  name: string;
  year: number | undefined;
  volume: number | undefined;
  cvId: number | undefined;
} {
  const brackets: Bracketed = readBrackets(name.replaceAll("_", " "));
  const volume = patterns.volume.exec(brackets.text);
  const end = volume && volume.index > 0 ? volume.index : brackets.text.length;
  return {
    name: seriesName(brackets.text.slice(0, end)) ?? name,
    year: brackets.year,
    volume: volume ? Number(volume[1]) : undefined,
    cvId: brackets.cvId,
  };
}

function tidied(fileName: string): string {
  let name = fileName.replace(/\.(cbz|zip|cbr|rar|cb7|7z|cbt|tar|pdf|epub|cba)$/iu, "").normalize("NFC");
  name = name.replaceAll("_", " ").replace(/%20/g, " ");
  name = name.replace(/(?<=\d)\.(?=(?:19|20)\d\d(?:\.|$))/g, " .");
  if (!name.includes(" ") || / \.(?:19|20)\d\d/.test(name)) name = spacedDots(name);
  return name.replace(/\s+/g, " ").trim();
}

/** Some packers write dots for blanks. */
function spacedDots(name: string): string {
  return (name.match(/\./g)?.length ?? 0) > 2 ? name.replace(/\.(?!\d)|(?<!\d)\./g, " ") : name;
}
/** A date that stands in the open: `X-Men, 2021-08-04`. */
function withoutBareDate(text: string): { text: string; date: ReturnType<typeof readDate> } {
  const found = /(?<=^|[\s,|])((?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?=$|[\s,|])/.exec(text);
  if (!found) return { text, date: undefined };
  return {
    text: `${text.slice(0, found.index)}|${text.slice(found.index + found[0].length)}`,
    date: readDate(found[1]!),
  };
}

function seriesName(text: string): string | undefined {
  const name = text
    .replaceAll("|", " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s\-–,:;.]+|[\s\-–,:;#]+$/g, "")
    .replace(/(?<=\p{L}{3})\.$/u, "");
  return name === "" ? undefined : name;
}

function titleOf(text: string): string | undefined {
  const end = text.indexOf("|");
  const title = (end < 0 ? text : text.slice(0, end)).replace(/^[\s\-–,:;.]+|[\s\-–,:;]+$/g, "").replace(/\s+/g, " ");
  return title === "" || !/\p{L}/u.test(title) ? undefined : title;
}

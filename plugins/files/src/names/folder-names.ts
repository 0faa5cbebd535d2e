import { foldTitle } from "@longbox/sdk/light";
import type { FolderReading } from "./folders.js";
import type { DecidedName, ParsedName } from "./parsed-name.js";
import { parseName } from "./parse-name.js";
import { hintsOf, within } from "./read-path.js";
import { separate } from "./same-title.js";
import { adoptStragglers } from "./stragglers.js";
import { readable } from "./text.js";
import { tokenize, type Token } from "./tokens.js";

/**
 * Reads the names of one folder together: what changes from name to name is the number, what stays is the series.
 * @param names - file names, without their folder
 */
export function readFolderNames(folder: FolderReading, names: readonly string[]): Map<string, DecidedName> {
  const hints = hintsOf(folder);
  const numbersLead = hints.numbersLead || mostBeginWithNumbers(names);
  const parsed = new Map(names.map((name) => [name, parseName(name, { ...hints, numbersLead })]));
  readLeadingNumbers(parsed, folder.name);
  readWhatChanges(parsed);
  leaveWhatStays(parsed);
  adoptStragglers(parsed, folder.name);
  numberByYear(parsed);
  numberByDate(parsed);
  for (const [name, reading] of parsed) parsed.set(name, within(folder, reading));
  return separate(parsed, folder);
}

/** How far apart the numbers of a run may lie: some of its issues are missing. */
const mostMissing = 8;

/** Whether the names begin with numbers of one run, each of them another. `52`, `100 Kites` and `300` are titles. */
function mostBeginWithNumbers(names: readonly string[]): boolean {
  const found = names.flatMap((name) => /^\s*#?(\d{1,4})(?!\d)/.exec(name)?.[1] ?? []);
  const numbers = [...new Set(found.map(Number))].toSorted((one, other) => one - other);
  const span = numbers.at(-1)! - numbers[0]!;
  return numbers.length > 1 && found.length * 2 > names.length && span < numbers.length * mostMissing;
}

/** `001 Moth Patrol`, `002 Moth Patrol`: what follows every number is the series, no title. */
function readLeadingNumbers(parsed: Map<string, ParsedName>, folderName: string | undefined): void {
  const titled = [...parsed].filter(([, { series, title }]) => series === undefined && title !== undefined);
  const counts = countBy(titled, ([, { title }]) => foldTitle(title!));
  const isMixed = isNoSeries(parsed, titled.length, folderName);
  for (const [name, reading] of titled) {
    if (isMixed) parsed.set(name, { ...reading, series: reading.title, title: undefined, isCertain: false });
    const count = counts.get(foldTitle(reading.title!)) ?? 0;
    if (count < 2 || count * 2 <= titled.length) continue;
    const reasons = [...reading.reasons, `\`${reading.title!}\` follows every number: it is the series`];
    parsed.set(name, { ...reading, series: reading.title, title: undefined, reasons });
  }
}

/** Annuals and specials without a number are told apart by their years: `Annual 1999`. */
function numberByYear(parsed: Map<string, ParsedName>): void {
  const bare = [...parsed].filter(
    ([, { number, year }]) => /^(?:Annual|Special)$/.test(number ?? "") && year !== undefined,
  );
  const keyOf = ([, { series, kind }]: (typeof bare)[number]) => `${kind} ${foldTitle(series ?? "")}`;
  const counts = countBy(bare, keyOf);
  for (const entry of bare) {
    const [name, reading] = entry;
    if ((counts.get(keyOf(entry)) ?? 0) < 2) continue;
    parsed.set(name, { ...reading, number: `${reading.number} ${reading.year}` });
  }
}

/** `Moth Patrol (Jan 1999)`, `Moth Patrol (Feb 1999)`: where dates alone tell issues apart, they are the numbers. */
function numberByDate(parsed: Map<string, ParsedName>): void {
  const keyOf = ([, { series }]: readonly [string, ParsedName]) => foldTitle(series ?? "");
  const dated = [...parsed].filter(([, { number, kind, month }]) => number === undefined && kind === "issue" && month);
  const weeks = new Set([...parsed].filter(([, { number }]) => /^\d{4}\.\d\d$/.test(number ?? "")).map(keyOf));
  const counts = countBy(dated, keyOf);
  for (const entry of dated) {
    const [name, reading] = entry;
    if ((counts.get(keyOf(entry)) ?? 0) < 2 && !weeks.has(keyOf(entry))) continue;
    const parts = [reading.month, reading.day].flatMap((part) => (part ? String(part).padStart(2, "0") : []));
    const reasons = [...reading.reasons, "its date tells it apart from the others of the folder"];
    parsed.set(name, { ...reading, number: [reading.year, ...parts].join("."), isCertain: false, reasons });
  }
}

/** Whether most names of a folder have series of their own, and none of them the folder's name. */
function isNoSeries(parsed: ReadonlyMap<string, ParsedName>, titled: number, folderName: string | undefined): boolean {
  const key = foldTitle(folderName ?? "");
  const own = [...parsed.values()].flatMap(({ series }) => (series === undefined ? [] : [foldTitle(series)]));
  return own.length > titled && own.every((series) => !series.startsWith(key) && !key.startsWith(series));
}

interface Skeleton {
  readonly name: string;
  readonly text: string;
  readonly numbers: readonly Token[];
}

/** Names that differ in one number only have it as their number, wherever it stands. */
function readWhatChanges(parsed: Map<string, ParsedName>): void {
  const groups = new Map<string, Skeleton[]>();
  for (const [name, { kind }] of parsed) {
    if (kind !== "issue") continue;
    const text = readable(name);
    const tokens = tokenize(text).filter((token) => token.kind !== "bracket");
    const key = tokens.map((token) => (token.kind === "number" ? "#" : token.key)).join(" ");
    const numbers = tokens.filter((token) => token.kind === "number");
    if (numbers.length > 1) groups.set(key, [...(groups.get(key) ?? []), { name, text, numbers }]);
  }
  for (const group of groups.values()) if (group.length > 2) readColumn(group, parsed);
}

function readColumn(group: readonly Skeleton[], parsed: Map<string, ParsedName>): void {
  const columns = group[0]!.numbers.map((_number, at) => new Set(group.map(({ numbers }) => numbers[at]!.text)).size);
  const changing = columns.flatMap((count, at) => (count === group.length ? [at] : []));
  const readNumbers = new Set(group.map(({ name }) => parsed.get(name)!.number));
  if (changing.length !== 1 || readNumbers.size > 1) return;
  for (const { name, text, numbers } of group) {
    const number = numbers[changing[0]!]!;
    const again = parseName(name, { series: text.slice(0, number.start) });
    const reasons = [...again.reasons, `\`${number.text}\` is the number that changes from name to name`];
    parsed.set(name, { ...again, reasons });
  }
}

/** `Team 7 - Alpha`, `Team 7 - Beta`, `Team 7 - Gamma`: a number that stays while the titles change is the series'. */
function leaveWhatStays(parsed: Map<string, ParsedName>): void {
  const groups = new Map<string, string[]>();
  for (const [name, { series, number, kind, title }] of parsed) {
    if (series === undefined || kind !== "issue" || title === undefined || !/^\d+$/.test(number ?? "")) continue;
    const key = `${foldTitle(series)}\n${number}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  for (const names of groups.values()) {
    const titles = new Set(names.map((name) => parsed.get(name)!.title));
    if (names.length < 3 || titles.size < names.length || !stays(names, parsed)) continue;
    for (const name of names) {
      const reading = parsed.get(name)!;
      parsed.set(name, {
        ...reading,
        series: `${reading.series} ${reading.number}`,
        number: undefined,
        isCertain: false,
        reasons: [...reading.reasons, `\`${reading.number}\` is in every name: it belongs to the series`],
      });
    }
  }
}

/** Whether the series has no other numbers, and this one is written as a part of a title is. */
function stays(names: readonly string[], parsed: ReadonlyMap<string, ParsedName>): boolean {
  const { series, number } = parsed.get(names[0]!)!;
  const key = foldTitle(series!);
  const others = [...parsed.values()].some((one) => one.number !== number && foldTitle(one.series ?? "") === key);
  return !others && names.every((name) => !/#\d/.test(name) && !new RegExp(`(?<!\\d)0+${number}(?!\\d)`).test(name));
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

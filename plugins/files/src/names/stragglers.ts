import { foldTitle } from "@longbox/sdk/light";
import type { ParsedName } from "./parsed-name.js";

/** How large a share of a folder's names has to be of one series before a name that stands out is doubted. */
const clearShare = 0.5;

/**
 * A name that stands out in a folder of one series does not become a series of its own when it is nearly that series:
 * misspelt, shortened, or with a title where the others have a number. It is read so, and said to be uncertain.
 * @param folderName - the series as the folder has it
 */
export function adoptStragglers(parsed: Map<string, ParsedName>, folderName: string | undefined): void {
  const groups = new Map<string, string[]>();
  for (const [name, { series }] of parsed) {
    const key = foldTitle(series ?? folderName ?? "");
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  const [main] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  if (!main || main[0] === "" || main[1].length < 3 || main[1].length < parsed.size * clearShare) return;
  const series = parsed.get(main[1][0]!)!.series ?? folderName;
  if (series === undefined) return;
  const taken = new Set(main[1].map((name) => parsed.get(name)!.number));
  const areTitles = main[1].every((name) => parsed.get(name)!.series === undefined);
  for (const [key, names] of groups) {
    if (key === main[0] || names.length > 1) continue;
    const [name] = names as [string];
    const adopted = adopt(parsed.get(name)!, { key, main: main[0], series, taken, areTitles });
    if (adopted) parsed.set(name, adopted);
  }
}

interface Comparison {
  readonly key: string;
  readonly main: string;
  readonly series: string;
  readonly taken: ReadonlySet<string | undefined>;
  /** Whether the other names are numbers and titles only: the folder names the series. */
  readonly areTitles: boolean;
}

function adopt(reading: ParsedName, { key, main, series, taken, areTitles }: Comparison): ParsedName | undefined {
  const because = (reason: string) => ({ series, isCertain: false, reasons: [...reading.reasons, reason] });
  if (reading.number === undefined && areTitles)
    return {
      ...reading,
      ...because(`no name of the folder has the series: this one is a title`),
      title: reading.series,
    };
  if (reading.number === undefined) {
    if (!key.startsWith(`${main} `)) return undefined;
    const title = reading
      .series!.slice(reading.series!.length - (key.length - main.length - 1))
      .replace(/^[\s\-–:]+/, "");
    return { ...reading, ...because(`the other names of the folder are of ${series}: the rest is a title`), title };
  }
  if (taken.has(reading.number) || reading.kind !== "issue") return undefined;
  const isShortened = key.length > 2 && main.startsWith(`${key} `);
  if (!isShortened && !isMisspelt(key, main)) return undefined;
  return {
    ...reading,
    ...because(`\`${reading.series}\` is nearly ${series}, as the other names of the folder have it`),
  };
}

/** Whether two titles of at least six letters differ in at most two of them. Digits make another title. */
function isMisspelt(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 6 || Math.abs(one.length - other.length) > 2) return false;
  if (one.replace(/\D/g, "") !== other.replace(/\D/g, "") || one.length > 200) return false;
  return distance(one, other) <= 2;
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const change = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + change));
    }
    row = next;
  }
  return row[other.length]!;
}

import { foldTitle } from "@longbox/sdk/light";
import type { FolderReading } from "./folders.js";
import type { DecidedName, ParsedName } from "./parsed-name.js";

/** Years between two comics of one title and number that are printings or mistakes, not other series. */
const sameRunYears = 1;

type Entry = readonly [name: string, reading: ParsedName];

/**
 * Tells series of one title in one folder apart, where leaving them together would make one issue of different comics:
 * `X (1961) 001` beside `X (2018) 001`, `v1 001` beside `v2 001`.
 */
export function separate(parsed: ReadonlyMap<string, ParsedName>, folder: FolderReading): Map<string, DecidedName> {
  const groups = new Map<string, Entry[]>();
  for (const entry of parsed) {
    const key = foldTitle(entry[1].series ?? "");
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const decided = new Map<string, DecidedName>();
  for (const group of groups.values()) {
    const division = apartByFolder(group, folder);
    const clusters = division === undefined ? clustersOf(group) : [group];
    for (const [at, cluster] of clusters.entries())
      for (const [name, reading] of cluster)
        decided.set(name, at === 0 ? { ...reading, apart: division } : placed(reading, cluster));
  }
  return decided;
}

function placed(reading: ParsedName, cluster: readonly Entry[]): DecidedName {
  const volume = cluster.find(([, one]) => one.volume !== undefined)?.[1].volume;
  const year = cluster.find(([, one]) => one.year !== undefined)?.[1].year;
  const apart = volume === undefined ? String(year) : volume >= 1850 ? String(volume) : `v${volume}`;
  const reasons = [...reading.reasons, `another series of this title is in the folder: this is \`${apart}\``];
  return { ...reading, volume: reading.volume ?? volume ?? year, apart, reasons };
}

/**
 * `Volume 2 (2001)/001`, `1999/001`: a folder that divides a series makes another one where its numbers begin again.
 */
function apartByFolder(group: readonly Entry[], folder: FolderReading): string | undefined {
  const { divisions, volume, divisionYear, kind } = folder;
  if (divisions === 0 || kind !== undefined || volume === 1) return undefined;
  if (group.some(([, { reasons }]) => reasons.some((reason) => reason.includes("chapter")))) return undefined;
  if (volume !== undefined && volume >= 1850) return String(volume);
  const beginsAgain = group.some(([, { number }]) => number === "1" || number === "0");
  if (volume !== undefined) return divisionYear !== undefined || beginsAgain ? `v${volume}` : undefined;
  return divisionYear !== undefined && beginsAgain ? String(divisionYear) : undefined;
}

/** The series that a group of one title holds, the earliest first; one where nothing collides. */
function clustersOf(group: readonly Entry[]): ReadonlyArray<readonly Entry[]> {
  const isVolume = collide(group, ({ volume }) => volume, 0);
  if (isVolume) return byVolume(group);
  return collide(group, ({ year }) => year, sameRunYears) ? byYear(group) : [group];
}

/** Whether one number of one kind has two values further apart than `near`. */
function collide(group: readonly Entry[], valueOf: (reading: ParsedName) => number | undefined, near: number): boolean {
  return collisions(group, valueOf, near).length > 0;
}

/** The pairs of values, the lower first, that one number of one kind has. */
function collisions(
  group: readonly Entry[],
  valueOf: (reading: ParsedName) => number | undefined,
  near: number,
): Array<readonly [number, number]> {
  const values = new Map<string, Set<number>>();
  for (const [, reading] of group) {
    const value = valueOf(reading);
    if (value === undefined || reading.number?.startsWith("Vol. ")) continue;
    const key = `${reading.kind} ${reading.number ?? ""}`;
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return [...values.values()].flatMap((of) => {
    const sorted = [...of].toSorted((one, other) => one - other);
    return sorted.slice(1).flatMap((value, at) => (value - sorted[at]! > near ? [[sorted[at]!, value] as const] : []));
  });
}

/** Names without a volume belong to the last one that had begun by their year, else to the first. */
function byVolume(group: readonly Entry[]): ReadonlyArray<readonly Entry[]> {
  const clusters = new Map<number, Entry[]>();
  const volumes = [...new Set(group.flatMap(([, { volume }]) => volume ?? []))].toSorted((one, other) => one - other);
  for (const volume of volumes) clusters.set(volume, []);
  for (const entry of group) {
    const { volume, year } = entry[1];
    const begun = volumes.filter((one) => one >= 1850 && year !== undefined && one <= year).at(-1);
    clusters.get(volume ?? begun ?? volumes[0]!)!.push(entry);
  }
  return [...clusters.values()];
}

/** A new series begins behind the longest pause between the two years that a number has. */
function byYear(group: readonly Entry[]): ReadonlyArray<readonly Entry[]> {
  const years = [...new Set(group.flatMap(([, { year }]) => year ?? []))].toSorted((one, other) => one - other);
  const beginnings = new Set<number>();
  for (const [first, second] of collisions(group, ({ year }) => year, sameRunYears)) {
    const between = years.filter((year) => year >= first && year <= second);
    if (between.some((year) => year > first && beginnings.has(year))) continue;
    const pauses = between.slice(1).map((year, at) => ({ year, pause: year - between[at]! }));
    beginnings.add(pauses.toSorted((one, other) => other.pause - one.pause)[0]!.year);
  }
  const starts = [...beginnings].toSorted((one, other) => one - other);
  const clusters: Entry[][] = Array.from({ length: starts.length + 1 }, () => []);
  for (const entry of group) clusters[starts.filter((start) => start <= (entry[1].year ?? 0)).length]!.push(entry);
  return clusters;
}

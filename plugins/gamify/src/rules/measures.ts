import type { Issue } from "@longbox/collection/contract";
import type { Counted } from "../counting/counting.js";
import { addDays, daysBetween, mondayOf } from "../days/calendar.js";

/** What the achievements measure. */
export interface Facts {
  /** Oldest first. */
  readonly counted: readonly Counted[];
  readonly works: ReadonlyMap<number, Issue>;
  /** Each day of reading, in order, with the length of its streak. */
  readonly streaks: ReadonlyMap<string, number>;
  /** When each quest was completed, oldest first. */
  readonly quests: readonly number[];
  /** When each yearly goal was reached, oldest first. */
  readonly goals: readonly number[];
}

/** A value that was reached at an instant. */
export interface Reached {
  readonly at: number;
  readonly value: number;
}

/** The values that a measure took, oldest first; it never falls. */
type Measure = (facts: Facts) => readonly Reached[];

const longPages = 200;
const pauseDays = 30;

export const measures = {
  pages: ({ counted }) => sums(counted, ({ pages }) => pages),
  hours: ({ counted }) => sums(counted, ({ seconds }) => seconds / 3600),
  finished: ({ counted }) => sums(counted, ({ finished }) => finished),
  longWorks: ({ counted, works }) =>
    sums(counted, ({ issueId, finished }) => ((works.get(issueId)?.pages ?? 0) >= longPages ? finished : 0)),
  series: ({ counted, works }) => kinds(counted, ({ issueId }) => works.get(issueId)?.seriesId),
  types: ({ counted }) => kinds(counted, ({ type }) => type),
  languages: ({ counted, works }) => kinds(counted, ({ issueId }) => works.get(issueId)?.language?.split("-")[0]),
  decades: ({ counted, works }) => kinds(counted, ({ issueId }) => works.get(issueId)?.coverDate?.slice(0, 3)),
  ofOneSeries: ({ counted, works }) => deepest(counted, works),
  days: (facts) =>
    atDays(
      facts,
      [...facts.streaks.keys()].map((day, index) => [day, index + 1]),
    ),
  streak: (facts) => atDays(facts, [...facts.streaks]),
  comebacks: (facts) => atDays(facts, comebacks([...facts.streaks.keys()])),
  weekends: (facts) => atDays(facts, weekends([...facts.streaks.keys()])),
  quests: ({ quests }) => quests.map((at, index) => ({ at, value: index + 1 })),
  goals: ({ goals }) => goals.map((at, index) => ({ at, value: index + 1 })),
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof measures;

function sums(counted: readonly Counted[], amountOf: (entry: Counted) => number): Reached[] {
  let value = 0;
  return counted.flatMap((entry) => {
    const amount = amountOf(entry);
    value += amount;
    return amount > 0 ? [{ at: entry.at, value }] : [];
  });
}

/** How many different ones there were. */
function kinds(counted: readonly Counted[], kindOf: (entry: Counted) => string | number | undefined): Reached[] {
  const seen = new Set<string | number>();
  return counted.flatMap((entry) => {
    const kind = kindOf(entry);
    if (kind === undefined || seen.has(kind)) return [];
    seen.add(kind);
    return [{ at: entry.at, value: seen.size }];
  });
}

/** The most works that were finished of one series; each work is one, however often it was finished. */
function deepest(counted: readonly Counted[], works: Facts["works"]): Reached[] {
  const finished = new Map<number, Set<number>>();
  let value = 0;
  return counted.flatMap(({ at, issueId, finished: isFinished }) => {
    const seriesId = works.get(issueId)?.seriesId;
    if (isFinished === 0 || seriesId === undefined) return [];
    const ofSeries = (finished.get(seriesId) ?? new Set<number>()).add(issueId);
    finished.set(seriesId, ofSeries);
    if (ofSeries.size <= value) return [];
    value = ofSeries.size;
    return [{ at, value }];
  });
}

function atDays({ counted }: Facts, values: ReadonlyArray<readonly [day: string, value: number]>): Reached[] {
  const firsts = new Map<string, number>();
  for (const { day, at } of counted) if (!firsts.has(day)) firsts.set(day, at);
  let most = 0;
  return values.map(([day, value]) => {
    most = Math.max(most, value);
    return { at: firsts.get(day) ?? Date.parse(day), value: most };
  });
}

function comebacks(days: readonly string[]): Array<[string, number]> {
  let value = 0;
  return days.flatMap((day, index) => {
    const before = days[index - 1];
    if (before === undefined || daysBetween(before, day) <= pauseDays) return [];
    value += 1;
    return [[day, value]];
  });
}

/** Weekends with reading on both days. */
function weekends(days: readonly string[]): Array<[string, number]> {
  const read = new Set(days);
  let value = 0;
  return days.flatMap((day) => {
    const isSunday = daysBetween(mondayOf(day), day) === 6;
    if (!isSunday || !read.has(addDays(day, -1))) return [];
    value += 1;
    return [[day, value]];
  });
}

import type { Issue } from "@longbox/collection/contract";
import type { Counted } from "../counting/counting.js";
import { mondayOf } from "../days/calendar.js";
import type { Quest, Subject } from "./quest.js";

/** Two minutes of listening count like a page where a quest asks for something to be read or heard. */
const secondsPerPage = 120;

export interface QuestProgress {
  readonly progress: number;
  /** When it was completed, in milliseconds since 1970. */
  readonly doneAt: number | undefined;
}

type Works = ReadonlyMap<number, Issue>;

/** What counts of each week, by its Monday. */
export function byWeek(counted: readonly Counted[]): ReadonlyMap<string, readonly Counted[]> {
  const mondays = new Map<string, string>();
  return Map.groupBy(counted, ({ day }) => {
    const monday = mondays.get(day) ?? mondayOf(day);
    mondays.set(day, monday);
    return monday;
  });
}

/** How far a quest is. @param week - What counts of its week: marks and repeated pages do not */
export function progressOf(quest: Quest, week: readonly Counted[], works: Works): QuestProgress {
  const values = valuesOf(quest.subject, week, works);
  const done = values.find(({ value }) => value - quest.base >= quest.target);
  const reached = Math.floor(values.at(-1)?.value ?? 0) - quest.base;
  return { progress: Math.min(quest.target, Math.max(0, reached)), doneAt: done?.at };
}

/** What of the week counts towards a subject before it is drawn. */
export function baseOf(subject: Subject, week: readonly Counted[], works: Works): number {
  return Math.floor(valuesOf(subject, week, works).at(-1)?.value ?? 0);
}

/** The value after each piece of reading, oldest first. */
function valuesOf(subject: Subject, week: readonly Counted[], works: Works): Array<{ at: number; value: number }> {
  const seen = new Set<string | number>();
  let sum = 0;
  return week.map((entry) => {
    const found = worthOf(subject, entry, works);
    if (typeof found === "number") sum += found;
    else if (found) seen.add(found.one);
    return { at: entry.at, value: sum + seen.size };
  });
}

/** An amount, or one of several different things that count once each. */
function worthOf(subject: Subject, entry: Counted, works: Works): number | { readonly one: string | number } {
  const work = works.get(entry.issueId);
  // Of a text, the time is that of its pages.
  const heard = work?.seconds === undefined ? 0 : entry.seconds;
  const amount = entry.pages + heard / secondsPerPage;
  switch (subject.kind) {
    case "pages":
      return entry.pages;
    case "minutes":
      return heard / 60;
    case "days":
      return { one: entry.day };
    case "finish-begun":
    case "finish-series":
    case "finish-later":
      return entry.finished > 0 && subject.issueIds.includes(entry.issueId) ? { one: entry.issueId } : 0;
    case "new-series":
      return work?.seriesId === subject.seriesId ? amount : 0;
    case "new-author":
      return subject.issueIds.includes(entry.issueId) ? amount : 0;
    case "old-pages":
      return isBefore(work, subject.before) ? entry.pages : 0;
    case "other-type":
      return entry.type === subject.type ? amount : 0;
  }
}

function isBefore(work: Issue | undefined, year: number): boolean {
  return work?.coverDate !== undefined && Number(work.coverDate.slice(0, 4)) < year;
}

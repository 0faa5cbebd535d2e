import type { Issue } from "@longbox/collection/contract";
import { contract, type Releasable, type Viewer } from "@longbox/sdk";

export interface PagePosition {
  readonly kind: "page";
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
}

export interface LocatorPosition {
  readonly kind: "locator";
  /** In the words of the program that reported it (a CFI, an XPointer …), kept unchanged; empty when none is known. */
  readonly locator: string;
  /** Of the whole work, 0 to 1. */
  readonly fraction: number;
}

export interface TimePosition {
  readonly kind: "time";
  readonly seconds: number;
  /** Of the whole work, in seconds; 0 when it is not known. */
  readonly duration: number;
}

export type Position = PagePosition | LocatorPosition | TimePosition;

/** One place in the kinds in which it can be named. */
export interface Places {
  readonly page?: PagePosition | undefined;
  readonly locator?: LocatorPosition | undefined;
  readonly time?: TimePosition | undefined;
}

/** How far one user is in one work. Works that were never begun, or are marked as unread, have no state. */
export interface ReadingState {
  readonly issueId: number;
  /** As it was reported. */
  readonly position: Position;
  /** How much of the work has been read when this position has: 0 to 1, comparable among all kinds. */
  readonly fraction: number;
  /** The same place in every kind that it was reported in or can be converted to by its fraction. */
  readonly places: Places;
  /** The device that read up to there; empty after a mark. */
  readonly device: string;
  /** ISO 8601, UTC: when the work was last read, on any device. */
  readonly at: string;
  readonly completed: boolean;
  readonly finishedAt: string | undefined;
  readonly timesFinished: number;
}

/** What a device says of a reading. */
export interface ReadingReport {
  readonly position: Position;
  /** 1 to 200 characters that name the device or program, the same in every report of it. */
  readonly device: string;
  /** ISO 8601: when it was read, for devices that report late. Default and latest: now. */
  readonly at?: string | undefined;
  /** Default: whether the position is the end of the work. A completion stays until the work is begun again or marked. */
  readonly completed?: boolean | undefined;
  /** The user went back on purpose: the position decides even if another device was further. */
  readonly mayGoBack?: boolean | undefined;
  /** Never moves the position back: for programs whose requests are only a hint of what is read, such as page streaming. */
  readonly onlyForward?: boolean | undefined;
  /** The user begins the work again: the completion is taken back, and what was read before decides nothing. */
  readonly restart?: boolean | undefined;
}

/** Where one device was last. */
export interface DevicePosition {
  readonly device: string;
  readonly position: Position;
  readonly fraction: number;
  readonly at: string;
}

/** A part of a list that may be long. */
export interface ReadingRange {
  readonly limit: number;
  /** `next` of the part before. */
  readonly after?: string | undefined;
  /** Only works of these library types. */
  readonly types?: readonly string[] | undefined;
}

export interface ReadingPart<T> {
  readonly items: readonly T[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}

export interface ReadingEntry {
  readonly issue: Issue;
  readonly state: ReadingState;
}

export interface LaterEntry {
  readonly issue: Issue;
  readonly addedAt: string;
  readonly state: ReadingState | undefined;
}

/** What one device read of one work within a quarter of an hour; every time zone begins its days on one. */
export interface HistoryEntry {
  readonly issueId: number;
  readonly type: string;
  readonly device: string;
  /** When the quarter of an hour began. */
  readonly quarter: string;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Read for the first time in that reading of the work: going over a part twice counts once, and marks count nothing. */
  readonly pages: number;
  readonly seconds: number;
  /** How often the work was finished by reading it. */
  readonly finished: number;
}

export interface HistoryRange {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** ISO 8601; the quarter that holds it is included. */
  readonly since?: string | undefined;
}

export interface DayActivity {
  /** `2026-03-01` in the time zone that was asked for. */
  readonly day: string;
  readonly pages: number;
  readonly seconds: number;
  readonly finished: number;
}

export interface ActivityQuery {
  /** Such as `Europe/Berlin`. @throws {BadInput} `reading/wrong-field` when there is no such zone */
  readonly timeZone: string;
  /** How many days, today included. */
  readonly days: number;
  readonly types?: readonly string[] | undefined;
}

export interface ReadingStatistics {
  /** Completions, by reading and by marks; a work that was finished twice counts twice. */
  readonly finished: number;
  /** Works begun and not finished. */
  readonly begun: number;
  readonly pages: number;
  readonly seconds: number;
  /** Days in a row on which something was read; one that reached yesterday still stands. */
  readonly streak: { readonly current: number; readonly longest: number };
  readonly days: readonly DayActivity[];
  /** The series of which most was read, at most ten. */
  readonly series: ReadonlyArray<{
    readonly seriesId: number;
    readonly title: string;
    readonly pages: number;
    readonly seconds: number;
    readonly finished: number;
  }>;
}

/** What a report added to what the user has read. */
export interface ReadingGain {
  readonly userId: number;
  readonly issueId: number;
  readonly gainedPages: number;
  readonly gainedSeconds: number;
  readonly finished: boolean;
  readonly at: string;
}

/**
 * How far users are in works of every kind. Everything is one user's, that of the viewer; background work takes a viewer
 * from `kernel.users`. What is hidden from the viewer is neither listed nor counted, and refused as unknown.
 */
export interface ReadingContract {
  /**
   * Merges what a device tells into what is known and answers what holds now. Once it answers, nothing of it is lost.
   * @throws {NotFound} `reading/no-such-issue`
   * @throws {BadInput} `reading/wrong-field`
   */
  report(viewer: Viewer, issueId: number, report: ReadingReport): Promise<ReadingState>;
  /** Marks works as read or unread, all of them or none. Counts nothing. @returns how many @throws {NotFound} `reading/no-such-issue` */
  mark(viewer: Viewer, issueIds: readonly number[], read: boolean): Promise<number>;
  /** The states of those of the works that were begun, in no order. */
  find(viewer: Viewer, issueIds: readonly number[]): Promise<readonly ReadingState[]>;
  /** Where each of the viewer's devices was last in the work, last read first. */
  findDevices(viewer: Viewer, issueId: number): Promise<readonly DevicePosition[]>;
  /** The furthest of the viewer's other devices, when it is further than this one: "further on another device, go there?" */
  findFurther(viewer: Viewer, issueId: number, device: string): Promise<DevicePosition | undefined>;

  /** Owned works begun and not finished, last read first. */
  listContinue(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>>;
  /** Finished works, last finished first. */
  listFinished(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>>;
  /** Of each series in which something was finished, what was finished last; last finished first. */
  listFinishedSeries(viewer: Viewer, range: Pick<ReadingRange, "limit">): Promise<readonly ReadingEntry[]>;
  /** Those of the series of which the viewer has begun or finished something. */
  findTouchedSeries(viewer: Viewer, seriesIds: readonly number[]): Promise<readonly number[]>;

  /** Puts a work on the shelf of what to read later, or takes it off. Finishing it takes it off, too. @throws {NotFound} `reading/no-such-issue` */
  setLater(viewer: Viewer, issueId: number, later: boolean): Promise<void>;
  /** Those of the works that are on that shelf. */
  findLater(viewer: Viewer, issueIds: readonly number[]): Promise<readonly number[]>;
  /** That shelf, last added first. */
  listLater(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<LaterEntry>>;

  /** What was read when, oldest first: everything that statistics and quests are computed from, as often as they like. */
  history(viewer: Viewer, range: HistoryRange): Promise<ReadingPart<HistoryEntry>>;
  /** What was read on each of the last days, those without included. */
  activity(viewer: Viewer, query: ActivityQuery): Promise<readonly DayActivity[]>;
  statistics(viewer: Viewer, query: ActivityQuery): Promise<ReadingStatistics>;

  /** After a report that added something; marks add nothing. */
  onRead(listener: (gain: ReadingGain) => void): Releasable;
  /** After every change: reports, marks, the later shelf, works that became others. */
  onChanged(listener: (change: { readonly userId: number; readonly issueIds: readonly number[] }) => void): Releasable;
}

export const Reading = contract<ReadingContract>("reading", "1.0.0");

import type { Issue } from "@longbox/collection/contract";
import { contract, extensionPoint, type Releasable, type Viewer } from "@longbox/sdk";

export interface PagePosition {
  readonly kind: "page";
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
}

export interface LocatorPosition {
  readonly kind: "locator";
  /** In the notation of the program that reported it (a CFI, an XPointer …), stored unchanged; empty when unknown. */
  readonly locator: string;
  /** Of the whole work, 0 to 1. */
  readonly fraction: number;
  /**
   * How many pages the program counts in the whole work, the same on every screen; for the statistics of works without
   * pages.
   */
  readonly pages?: number | undefined;
}

export interface TimePosition {
  readonly kind: "time";
  readonly seconds: number;
  /** Of the whole work, in seconds; 0 when it is not known. */
  readonly duration: number;
}

export type Position = PagePosition | LocatorPosition | TimePosition;

/** One position in all units that are known for it. */
export interface Places {
  readonly page?: PagePosition | undefined;
  readonly locator?: LocatorPosition | undefined;
  readonly time?: TimePosition | undefined;
}

/** The progress of one user in one work. Works that were never started, or are marked as unread, have no state. */
export interface ReadingState {
  readonly issueId: number;
  /** As it was reported. */
  readonly position: Position;
  /** The fraction of the work up to this position, 0 to 1, comparable between all kinds of positions. */
  readonly fraction: number;
  /** The same position in every unit that was reported or can be computed from the fraction. */
  readonly places: Places;
  /** The device that reported the position; empty after a mark. */
  readonly device: string;
  /** ISO 8601, UTC: when the work was last read, on any device. */
  readonly at: string;
  readonly completed: boolean;
  readonly finishedAt: string | undefined;
  readonly timesFinished: number;
}

/** A progress report of a device. */
export interface ReadingReport {
  readonly position: Position;
  /** The device or program, 1 to 200 characters, the same in every report. */
  readonly device: string;
  /** ISO 8601: when it was read, for devices that report late. Default and latest: now. */
  readonly at?: string | undefined;
  /**
   * Default: whether the position is the end of the work. A completion is kept until the work is restarted or marked.
   */
  readonly completed?: boolean | undefined;
  /** The user went back intentionally: the position is taken even if another device was further. */
  readonly mayGoBack?: boolean | undefined;
  /** Never moves the position back: for programs whose requests only indicate what is read, such as page streaming. */
  readonly onlyForward?: boolean | undefined;
  /** The user starts the work again: the completion is removed, and earlier reports are ignored. */
  readonly restart?: boolean | undefined;
}

/** The last position of one device. */
export interface DevicePosition {
  readonly device: string;
  readonly position: Position;
  readonly fraction: number;
  readonly at: string;
}

/** A chapter of a work. */
export interface Chapter {
  readonly title: string;
  /** Where it begins, 0 to 1 of the work. */
  readonly start: number;
}

/** A plugin that knows the chapters of works of one library type. */
export interface ChapterSource {
  readonly libraryType: string;
  /** In their order; undefined when they are not known. */
  findChapters(issueId: number): Promise<readonly Chapter[] | undefined>;
}
export const ChapterSources = extensionPoint<ChapterSource>("chapterSources", "1.0.0");

/** The viewer's place in another form of a work, such as its audiobook, and where that is in this one. */
export interface FormPlace {
  /** The other form. */
  readonly issue: Issue;
  readonly state: ReadingState;
  /** In this form, in the unit in which it is measured. */
  readonly position: Position;
  /** Of this form, 0 to 1. */
  readonly fraction: number;
  /** How it was found: by chapters that both have, or by the share that was read. */
  readonly by: "chapter" | "fraction";
  /** The chapter of this form. */
  readonly chapter: string | undefined;
  /** Whether that is further than the viewer is in this form. */
  readonly isFurther: boolean;
}

/** One page of a list. */
export interface ReadingRange {
  readonly limit: number;
  /** `next` of the previous page. */
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

/**
 * What one device read of one work within a quarter of an hour. Days of every time zone begin on a quarter of an hour.
 */
export interface HistoryEntry {
  readonly issueId: number;
  readonly type: string;
  readonly device: string;
  /** When the quarter of an hour began. */
  readonly quarter: string;
  readonly firstAt: string;
  readonly lastAt: string;
  /** What was read for the first time since the work was started. Repeated parts count once, marks do not count. */
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
  /** `2026-03-01` in the requested time zone. */
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
  /** Consecutive days with reading. A streak that reached yesterday still counts. */
  readonly streak: { readonly current: number; readonly longest: number };
  readonly days: readonly DayActivity[];
  /** The most read series, at most ten. */
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
 * The reading progress of users in works of every type. All calls concern the user of the viewer; background work takes
 * a viewer from `kernel.users`. Hidden works are neither listed nor counted, and are treated as unknown.
 */
export interface ReadingContract {
  /**
   * Merges the report of a device into the progress and returns the result, which is durable once the promise resolves.
   * @throws {NotFound} `reading/no-such-issue`
   * @throws {BadInput} `reading/wrong-field`
   */
  report(viewer: Viewer, issueId: number, report: ReadingReport): Promise<ReadingState>;
  /**
   * Marks works as read or unread, all of them or none. Does not count as reading.
   * @returns how many
   * @throws {NotFound} `reading/no-such-issue`
   */
  mark(viewer: Viewer, issueIds: readonly number[], read: boolean): Promise<number>;
  /** The states of the works that were started, in no particular order. */
  find(viewer: Viewer, issueIds: readonly number[]): Promise<readonly ReadingState[]>;
  /** The last position of each of the viewer's devices in the work, last read first. */
  findDevices(viewer: Viewer, issueId: number): Promise<readonly DevicePosition[]>;
  /**
   * The furthest of the viewer's other devices, when it is further than this one: "further on another device, go
   * there?"
   */
  findFurther(viewer: Viewer, issueId: number, device: string): Promise<DevicePosition | undefined>;

  /**
   * Where the viewer is in the other forms of the work, the one read last first; forms that were finished or never
   * started are left out.
   * @throws {NotFound} `reading/no-such-issue`
   */
  findFormPlaces(viewer: Viewer, issueId: number): Promise<readonly FormPlace[]>;

  /** Owned works in progress, last read first. */
  listContinue(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>>;
  /** Finished works, last finished first. */
  listFinished(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<ReadingEntry>>;
  /** The last finished work of each series that has one; last finished first. */
  listFinishedSeries(viewer: Viewer, range: Pick<ReadingRange, "limit">): Promise<readonly ReadingEntry[]>;
  /** The series among these in which the viewer has started or finished a work. */
  findTouchedSeries(viewer: Viewer, seriesIds: readonly number[]): Promise<readonly number[]>;

  /**
   * Adds a work to the read-later shelf, or removes it. Finishing a work removes it, too.
   * @throws {NotFound} `reading/no-such-issue`
   */
  setLater(viewer: Viewer, issueId: number, later: boolean): Promise<void>;
  /** The works among these that are on the read-later shelf. */
  findLater(viewer: Viewer, issueIds: readonly number[]): Promise<readonly number[]>;
  /** The read-later shelf, last added first. */
  listLater(viewer: Viewer, range: ReadingRange): Promise<ReadingPart<LaterEntry>>;

  /** The reading history, oldest first. Statistics can be computed from it at any time. */
  history(viewer: Viewer, range: HistoryRange): Promise<ReadingPart<HistoryEntry>>;
  /** What was read on each of the last days, including days without reading. */
  activity(viewer: Viewer, query: ActivityQuery): Promise<readonly DayActivity[]>;
  statistics(viewer: Viewer, query: ActivityQuery): Promise<ReadingStatistics>;

  /** Emitted after a report that added something; marks add nothing. */
  onRead(listener: (gain: ReadingGain) => void): Releasable;
  /** Emitted after every change: reports, marks, the read-later shelf, merged works. */
  onChanged(listener: (change: { readonly userId: number; readonly issueIds: readonly number[] }) => void): Releasable;
}

export const Reading = contract<ReadingContract>("reading", "1.0.0");

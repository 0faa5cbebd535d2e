import type { Position } from "../contract.js";
import { fractionOf, isEnd, measuresWith, pagesReached, secondsReached, type Measures } from "./places.js";

/** How far one user is in one work. Times are milliseconds since 1970. */
export interface Progress {
  /** Undefined while the work counts as unread. */
  readonly position: Position | undefined;
  /** That read up to the position, and when. */
  readonly device: string;
  readonly placedAt: number;
  /** When the work was last read, on any device. */
  readonly readAt: number;
  readonly completed: boolean;
  readonly finishedAt: number | undefined;
  readonly timesFinished: number;
  /** When the current reading was started; earlier reports are ignored. */
  readonly begunAt: number;
  /**
   * When the user last went back, and from which position: earlier reports up to that position do not move it forward
   * again.
   */
  readonly wentBackAt: number;
  readonly wentBackFrom: number;
  readonly counted: Counted;
  readonly measures: Measures;
}

/** What has been counted in the current reading. It is kept after marks, so that no page counts twice. */
export interface Counted {
  readonly pages: number;
  readonly seconds: number;
  /** When something was last counted, and when a finish was. */
  readonly at: number;
  readonly finishAt: number;
}

export const nothingRead: Progress = {
  position: undefined,
  device: "",
  placedAt: 0,
  readAt: 0,
  completed: false,
  finishedAt: undefined,
  timesFinished: 0,
  begunAt: 0,
  wentBackAt: 0,
  wentBackFrom: 0,
  counted: { pages: 0, seconds: 0, at: 0, finishAt: 0 },
  measures: { pages: undefined, durationSeconds: undefined, locator: undefined },
};

/** A report whose fields and time have been checked. */
export interface Report {
  readonly position: Position;
  readonly device: string;
  readonly at: number;
  readonly completed: boolean | undefined;
  readonly mayGoBack: boolean;
  readonly onlyForward: boolean;
  readonly restart: boolean;
}

/** Where a device was last. */
export interface DevicePlace {
  readonly device: string;
  readonly position: Position;
  readonly at: number;
}

export interface Merged {
  readonly progress: Progress;
  readonly gainedPages: number;
  readonly gainedSeconds: number;
  readonly finished: boolean;
}

/** A restarted work counts again when nothing of it was counted for this time. */
const countsAgainAfterMs = 12 * 3_600_000;
/** A device that cannot report a restart restarts a work by reading its beginning this long after it was finished. */
const rereadAfterMs = 24 * 3_600_000;
const beginningFraction = 0.1;
/** A longer pause between two places in a text is one in which the reader was away. */
const longestPageMs = 5 * 60_000;

/**
 * Merges the report of a device into the stored progress; undefined when the report belongs to an earlier reading.
 *
 * Between devices the furthest position wins; on one device the latest does, so that it can go back. A device may also
 * report that its user went back intentionally. A completion is kept until the work is restarted. Reports may arrive
 * late and in any order. A report does not move the position when it is older than the last report of the same device,
 * than the last time the user went back, or than the start of the current reading.
 * @param places - where each device was before this report
 */
export function mergeReport(kept: Progress, places: readonly DevicePlace[], report: Report): Merged | undefined {
  if (report.at < kept.begunAt) return undefined;
  const before = beginsAgain(kept, report) ? begunAgain(kept, report.at) : kept;
  const completes = report.completed ?? isEnd(report.position);
  const finishes = completes && !before.completed;
  const placed = place(before, places, report);
  const last = places.find(({ device }) => device === report.device);
  const { counted, ...gained } = count(before, { ...report, secondsRead: secondsBetween(last, report) }, finishes);
  return {
    progress: {
      ...placed,
      readAt: Math.max(before.readAt, report.at),
      completed: before.completed || completes,
      finishedAt: finishes ? Math.max(report.at, before.finishedAt ?? 0) : before.finishedAt,
      timesFinished: before.timesFinished + (finishes ? 1 : 0),
      counted,
    },
    ...gained,
  };
}

function beginsAgain(kept: Progress, report: Report): boolean {
  if (kept.position === undefined || report.at < kept.readAt) return false;
  if (report.restart) return true;
  const mayBeRereading = kept.completed && report.completed !== true && !report.mayGoBack && !report.onlyForward;
  return (
    mayBeRereading &&
    report.at >= (kept.finishedAt ?? 0) + rereadAfterMs &&
    fractionOf(report.position) <= beginningFraction &&
    !isEnd(report.position)
  );
}

/** The initial progress of a new reading that starts at this time. */
export function begunAgain(kept: Progress, at: number): Progress {
  return {
    ...kept,
    position: undefined,
    completed: false,
    begunAt: Math.max(kept.begunAt, at),
    wentBackFrom: 0,
    counted: at >= kept.counted.at + countsAgainAfterMs ? { ...kept.counted, pages: 0, seconds: 0 } : kept.counted,
  };
}

/** Determines the position, and stores the length of the work from the report. */
function place(before: Progress, places: readonly DevicePlace[], report: Report): Progress {
  const measured = { ...before, measures: measuresWith(before.measures, report.position) };
  if (!decides(before, places, report)) return before.position === undefined ? measured : before;
  const from = before.position === undefined ? 0 : fractionOf(before.position);
  const goesBack = fractionOf(report.position) < from;
  const here: DevicePlace = (goesBack && !report.mayGoBack ? furtherSince(places, report) : undefined) ?? report;
  return {
    ...measured,
    position: here.position,
    device: here.device,
    placedAt: here.at,
    ...(goesBack && {
      wentBackAt: Math.max(before.wentBackAt, report.at),
      wentBackFrom: report.mayGoBack ? 1 : Math.max(before.wentBackFrom, from),
    }),
  };
}

function decides(before: Progress, places: readonly DevicePlace[], report: Report): boolean {
  if (before.position === undefined) return true;
  const goesOn = fractionOf(report.position) > fractionOf(before.position);
  if (report.onlyForward && !goesOn) return false;
  if (report.mayGoBack) return true;
  if (report.device === before.device) return report.at >= before.placedAt;
  const last = places.find(({ device }) => device === report.device);
  const isSuperseded = last !== undefined && report.at < last.at;
  const wasLeft = report.at < before.wentBackAt && fractionOf(report.position) <= before.wentBackFrom;
  return goesOn && !isSuperseded && !wasLeft;
}

/** The device went back but reported late: another device may have continued since. */
function furtherSince(places: readonly DevicePlace[], report: Report): DevicePlace | undefined {
  return places
    .filter(({ device, at }) => device !== report.device && at > report.at)
    .filter(({ position }) => fractionOf(position) > fractionOf(report.position))
    .sort((one, other) => fractionOf(other.position) - fractionOf(one.position))[0];
}

/**
 * How long a text was read on a device: between two of its reports, when the place changed. Recordings say it
 * themselves.
 */
function secondsBetween(last: DevicePlace | undefined, { position, at }: Report): number {
  if (!last || position.kind !== "locator" || fractionOf(last.position) === fractionOf(position)) return 0;
  const ms = at - last.at;
  return ms > 0 && ms <= longestPageMs ? Math.round(ms / 1000) : 0;
}

function count(
  { counted, measures }: Progress,
  { position, at, secondsRead }: Report & { readonly secondsRead: number },
  finishes: boolean,
): Omit<Merged, "progress"> & { counted: Counted } {
  const pages = pagesReached(position, measuresWith(measures, position).pages);
  const seconds = secondsReached(position);
  const gainedPages = Math.max(0, pages - counted.pages);
  const gainedSeconds = Math.max(0, seconds - counted.seconds) + secondsRead;
  const finished = finishes && (counted.finishAt === 0 || at >= counted.finishAt + countsAgainAfterMs);
  return {
    gainedPages,
    gainedSeconds,
    finished,
    counted: {
      pages: Math.max(counted.pages, pages),
      seconds: Math.max(counted.seconds, seconds),
      at: gainedPages > 0 || gainedSeconds > 0 ? Math.max(counted.at, at) : counted.at,
      finishAt: finished ? Math.max(counted.finishAt, at) : counted.finishAt,
    },
  };
}

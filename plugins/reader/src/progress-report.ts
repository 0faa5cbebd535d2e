/** How far one user is in one issue. Times are milliseconds since 1970. */
export interface Progress {
  readonly page: number;
  readonly pages: number;
  readonly furthest: number;
  readonly completed: boolean;
  readonly readAt: number;
  readonly finishedAt: number | undefined;
  readonly timesFinished: number;
}

/** What a device says of a reading. */
export interface ProgressReport {
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
  /** When the page was read; a device that was away reports late. */
  readonly readAt: number;
  /** The user began the issue again on purpose. */
  readonly restart: boolean;
}

export interface MergedProgress {
  readonly progress: Progress;
  /** Pages that were read for the first time since the issue was begun. */
  readonly pagesGained: number;
  readonly finished: boolean;
  /** The present reading begins with this report. */
  readonly isBeginning: boolean;
}

/** Of an issue of which nothing is kept. */
export const unread: Progress = { page: 0, pages: 1, furthest: 0, completed: false, readAt: 0, finishedAt: undefined, timesFinished: 0 };

/** What is known before a report comes. */
export interface BeforeReport {
  readonly kept: Progress | undefined;
  /** When the issue was last begun anew or marked as unread; what was read before counts no more. */
  readonly begunAt: number;
}

/**
 * Joins what is kept with what a device reports; undefined when the report tells of a reading that is over.
 *
 * The position is that of the later reading, whichever device tells of it last. A completion latches: turning back, or
 * a late report from a device that was not so far, does not undo it; beginning again on purpose does, and then late
 * reports from before change nothing.
 */
export function mergeProgress({ kept, begunAt }: BeforeReport, report: ProgressReport): MergedProgress | undefined {
  if (report.readAt < begunAt) return undefined;
  const isNewer = kept === undefined || report.readAt >= kept.readAt;
  const before = kept && report.restart && isNewer ? { ...kept, completed: false, furthest: 0 } : (kept ?? unread);
  const position = isNewer ? { page: report.page, pages: report.pages, readAt: report.readAt } : { page: before.page, pages: before.pages, readAt: before.readAt };
  const reached = Math.min(report.page + 1, report.pages);
  const finished = report.completed && !before.completed;
  const progress: Progress = {
    ...position,
    furthest: Math.max(before.furthest, reached),
    completed: before.completed || report.completed,
    finishedAt: finished ? Math.max(report.readAt, before.finishedAt ?? 0) : before.finishedAt,
    timesFinished: before.timesFinished + (finished ? 1 : 0),
  };
  return { progress, pagesGained: Math.max(0, reached - before.furthest), finished, isBeginning: report.restart && isNewer };
}

/** Joins the progress of two issues that turned out to be one. */
export function joinProgress(one: Progress, other: Progress): Progress {
  const [older, newer] = one.readAt <= other.readAt ? [one, other] : [other, one];
  return {
    page: newer.page,
    pages: newer.pages,
    furthest: newer.furthest,
    completed: older.completed || newer.completed,
    readAt: newer.readAt,
    finishedAt: Math.max(older.finishedAt ?? 0, newer.finishedAt ?? 0) || undefined,
    timesFinished: older.timesFinished + newer.timesFinished,
  };
}

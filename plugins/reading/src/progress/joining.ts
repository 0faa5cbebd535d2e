import type { Progress } from "./merging.js";

/** Joins the progress in two works that were merged: the later reading decides the position. */
export function joinProgress(one: Progress, other: Progress): Progress {
  const [older, newer] = isLater(one, other) ? [other, one] : [one, other];
  return {
    ...newer,
    completed: older.completed || newer.completed,
    finishedAt: Math.max(older.finishedAt ?? 0, newer.finishedAt ?? 0) || undefined,
    timesFinished: older.timesFinished + newer.timesFinished,
    begunAt: Math.max(older.begunAt, newer.begunAt),
    wentBackAt: Math.max(older.wentBackAt, newer.wentBackAt),
    wentBackFrom: Math.max(older.wentBackFrom, newer.wentBackFrom),
    counted: {
      pages: Math.max(older.counted.pages, newer.counted.pages),
      seconds: Math.max(older.counted.seconds, newer.counted.seconds),
      at: Math.max(older.counted.at, newer.counted.at),
      finishAt: Math.max(older.counted.finishAt, newer.counted.finishAt),
    },
    measures: {
      pages: newer.measures.pages ?? older.measures.pages,
      durationSeconds: newer.measures.durationSeconds ?? older.measures.durationSeconds,
      locator: newer.measures.locator ?? older.measures.locator,
    },
  };
}

/** An unread work never counts as the later one. */
function isLater(one: Progress, other: Progress): boolean {
  if ((one.position === undefined) !== (other.position === undefined)) return one.position !== undefined;
  return one.readAt > other.readAt;
}

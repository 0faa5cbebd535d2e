import { begunAgain, type Progress } from "./merging.js";
import { endOf } from "./places.js";

/** Marks as read: counts as finished once, but adds no pages. */
export function markedRead(kept: Progress, pages: number, at: number): Progress {
  if (kept.completed) return kept;
  const measures = { ...kept.measures, pages: Math.max(pages, kept.measures.pages ?? 0) || undefined };
  return {
    ...kept,
    position: endOf(kept.position?.kind, measures),
    measures,
    device: "",
    placedAt: at,
    readAt: at,
    completed: true,
    finishedAt: at,
    timesFinished: kept.timesFinished + 1,
  };
}

/** Marks as unread. What was counted before stays counted. */
export function markedUnread(kept: Progress, at: number): Progress {
  return { ...begunAgain(kept, at), finishedAt: undefined, timesFinished: 0 };
}

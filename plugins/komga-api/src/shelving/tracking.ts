import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { PlacedBook } from "../documents/book.js";
import { statesOf } from "./selecting-books.js";

/** How far the viewer is in a row of books, as Mihon's tracker counts. */
export interface Tracked {
  readonly booksCount: number;
  readonly booksReadCount: number;
  readonly booksUnreadCount: number;
  readonly booksInProgressCount: number;
  /** How many books are read from the first one on without a gap. */
  readonly continuous: number;
}

interface Sources {
  readonly reading: ReadingContract;
  readonly viewer: Viewer;
}

export async function track(books: readonly PlacedBook[], sources: Sources): Promise<Tracked> {
  const ids = books.map(({ issue }) => issue.id);
  const states = await statesOf(ids, sources);
  const read = ids.map((id) => states.get(id)?.completed === true);
  const firstGap = read.indexOf(false);
  const booksReadCount = read.filter(Boolean).length;
  return {
    booksCount: ids.length,
    booksReadCount,
    booksUnreadCount: ids.length - states.size,
    booksInProgressCount: states.size - booksReadCount,
    continuous: firstGap === -1 ? ids.length : firstGap,
  };
}

/**
 * Marks those that are not read yet. Nothing is marked as unread: a tracker that is behind must not undo what was read
 * here.
 */
export async function markRead(books: readonly PlacedBook[], { reading, viewer }: Sources): Promise<void> {
  const ids = books.map(({ issue }) => issue.id);
  const states = await statesOf(ids, { reading, viewer });
  const unread = ids.filter((id) => states.get(id)?.completed !== true);
  if (unread.length > 0) await reading.mark(viewer, unread, true);
}

import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { PlacedBook } from "../documents/book.js";
import type { BookQuery } from "../routes/queries.js";

export type States = ReadonlyMap<number, ReadingState>;

/** Books of one series, given in reading order, in the order and the selection that an app asks for. */
export async function selectBooks(
  books: readonly PlacedBook[],
  query: BookQuery,
  { reading, viewer }: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<PlacedBook[]> {
  if (query.deleted === true) return [];
  const media = new Set(query.media_status);
  const readable = books.filter(({ issue }) => media.size === 0 || media.has(issue.corrupt ? "ERROR" : "READY"));
  const ids = readable.map(({ issue }) => issue.id);
  const states = query.read_status.length > 0 ? await statesOf(ids, { reading, viewer }) : new Map();
  const selected = readable.filter(({ issue }) => hasStatus(issue.id, query.read_status, states));
  return query.sort[0]?.isDescending ? selected.toReversed() : selected;
}

export async function statesOf(
  bookIds: readonly number[],
  { reading, viewer }: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<States> {
  return new Map((await reading.find(viewer, bookIds)).map((state) => [state.issueId, state]));
}

export function hasStatus(bookId: number, wanted: BookQuery["read_status"], states: States): boolean {
  if (wanted.length === 0) return true;
  return wanted.includes(statusOfBook(bookId, states));
}

export function statusOfBook(bookId: number, states: States): BookQuery["read_status"][number] {
  const state = states.get(bookId);
  return state === undefined ? "UNREAD" : state.completed ? "READ" : "IN_PROGRESS";
}

import type { BookBookmark, BookDocument, BookPlace } from "@longbox/books/api";
import type { OpenBook } from "@longbox/book-reader/api";
import type { LongboxClient } from "@longbox/sdk/client";
import type { StoredPlace } from "../protocol.js";
import { lastPlaceHere, thisDevice } from "./this-device.js";

/** Everything of a book that the page fetches before it can be shown. */
export interface FetchedBook {
  readonly book: OpenBook;
  readonly description: BookDocument | undefined;
  readonly place: BookPlace;
  readonly bookmarks: readonly BookBookmark[];
  readonly file: Blob;
}

interface Fetching {
  /** Of the engine, which can start before the book is there. */
  readonly scripts: Promise<readonly string[]>;
  /** Rejects with a message for the reader. */
  readonly book: Promise<FetchedBook>;
}

// Not in one expression with `new URL`, which the build would take for a file to be copied.
const here = import.meta.url;

/** Begins all requests at once. */
export function startFetching(longbox: LongboxClient, cvIssueId: number): Fetching {
  const device = encodeURIComponent(thisDevice());
  const engine = fetchScript("engine");
  const description = longbox.api<readonly BookDocument[]>(`/api/ebooks/books?issues=${cvIssueId}`).then(only);
  const all = Promise.all([
    longbox.api<OpenBook>(`/api/book-reader/issue/${cvIssueId}`),
    description,
    longbox.api<BookPlace>(`/api/ebooks/issue/${cvIssueId}/progress?device=${device}`),
    longbox.api<readonly BookBookmark[]>(`/api/ebooks/issue/${cvIssueId}/bookmarks`),
    fetchFile(cvIssueId),
  ]);
  return {
    scripts: Promise.all([description.then(scriptsFor), engine]).then(([others, own]) => [...others, own]),
    book: all.then(([book, found, place, bookmarks, file]) => ({ book, description: found, place, bookmarks, file })),
  };
}

/** What the engine needs for a format, to be run before it. */
async function scriptsFor(description: BookDocument | undefined): Promise<string[]> {
  return description?.format === "pdf" ? [await fetchScript("pdf")] : [];
}

/** @throws {Error} when the book is protected */
function only([description]: readonly BookDocument[]): BookDocument | undefined {
  if (description?.drm) throw new Error(protectedMessage(description.drm));
  return description;
}

/** The smallest difference of places, as a part of the book, that is worth a question. */
export const leastAhead = 0.005;

export interface Beginning {
  readonly place: StoredPlace | undefined;
  /** Another device that is further; then the page asks whether to go there. */
  readonly further: BookPlace["further"];
}

/** The position of the server, or this device's own where another device is further. */
export function beginningOf(place: BookPlace, userId: number, cvIssueId: number): Beginning {
  const own = lastPlaceHere(userId, cvIssueId);
  const { further } = place;
  if (further && own) return { place: own, further: further.fraction > own.fraction + leastAhead ? further : null };
  return { place: place.at === null ? undefined : { locator: place.locator, fraction: place.fraction }, further: null };
}

function protectedMessage(scheme: string): string {
  return `This book is protected (${scheme}), so that only the programs of its seller can open it. It can be downloaded.`;
}

async function fetchFile(cvIssueId: number): Promise<Blob> {
  const answer = await fetch(`/api/ebooks/issue/${cvIssueId}/file`);
  if (answer.ok) return answer.blob();
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
  throw new Error(error ?? "The server could not send the book. Try again later.");
}

async function fetchScript(name: "engine" | "pdf"): Promise<string> {
  const answer = await fetch(new URL(`${name}/${name}.js`, here));
  if (!answer.ok) throw new Error("The reader was updated. Reload the page.");
  return answer.text();
}

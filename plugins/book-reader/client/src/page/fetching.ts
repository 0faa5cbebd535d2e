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
  readonly scripts: readonly string[];
}

// Not in one expression with `new URL`, which the build would take for a file to be copied.
const here = import.meta.url;

/** All requests at once. @throws {Error} with a message for the reader */
export async function fetchBook(longbox: LongboxClient, cvIssueId: number): Promise<FetchedBook> {
  const device = encodeURIComponent(thisDevice());
  const engine = fetchScript("engine");
  const [book, descriptions, place, bookmarks, file] = await Promise.all([
    longbox.api<OpenBook>(`/api/book-reader/issue/${cvIssueId}`),
    longbox.api<readonly BookDocument[]>(`/api/ebooks/books?issues=${cvIssueId}`),
    longbox.api<BookPlace>(`/api/ebooks/issue/${cvIssueId}/progress?device=${device}`),
    longbox.api<readonly BookBookmark[]>(`/api/ebooks/issue/${cvIssueId}/bookmarks`),
    fetchFile(cvIssueId),
  ]);
  const [description] = descriptions;
  if (description?.drm) throw new Error(protectedMessage(description.drm));
  const scripts = [...((await isPdf(file)) ? [await fetchScript("pdf")] : []), await engine];
  return { book, description, place, bookmarks, file, scripts };
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

async function isPdf(file: Blob): Promise<boolean> {
  return (await file.slice(0, 1024).text()).includes("%PDF-");
}

async function fetchScript(name: "engine" | "pdf"): Promise<string> {
  const answer = await fetch(new URL(`${name}/${name}.js`, here));
  if (!answer.ok) throw new Error("The reader was updated. Reload the page.");
  return answer.text();
}

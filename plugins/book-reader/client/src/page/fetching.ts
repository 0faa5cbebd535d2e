import type { BookBookmark, BookDocument, BookPlace } from "@longbox/books/api";
import type { OpenBook } from "@longbox/book-reader/api";
import type { LongboxClient } from "@longbox/sdk/client";
import { addressOf, t } from "@longbox/sdk/ui";
import type { StoredPlace } from "../protocol.js";
import { addressesOf, protectedMessage, reportPath } from "./addresses.js";
import { fetchFile, type FileFetching } from "./fetching-file.js";
import { lastPlaceHere } from "./this-device.js";

/** Everything of a book that the page fetches before it can be shown. */
export interface FetchedBook {
  readonly book: OpenBook;
  readonly description: BookDocument | undefined;
  readonly place: BookPlace;
  readonly bookmarks: readonly BookBookmark[];
  readonly file: Blob;
  /** Where this device was without a connection: the server does not know it yet. */
  readonly unsent: StoredPlace | undefined;
}

interface Fetching {
  /** Of the engine, which can start before the book is there. */
  readonly scripts: Promise<readonly string[]>;
  /** Rejects with a message for the reader. */
  readonly book: Promise<FetchedBook>;
}

/** Begins all requests at once. */
export function startFetching(longbox: LongboxClient, cvIssueId: number, file: FileFetching): Fetching {
  const addresses = addressesOf(cvIssueId);
  // Before the server is asked: what waits may be sent, and forgotten, meanwhile.
  const unsent = unsentPlace(longbox, cvIssueId);
  const engine = fetchScript(addresses.engine);
  const description = longbox.api<readonly BookDocument[]>(addresses.description).then(only);
  const all = Promise.all([
    longbox.api<OpenBook>(addresses.opening),
    description,
    longbox.api<BookPlace>(addresses.progress),
    longbox.api<readonly BookBookmark[]>(addresses.bookmarks),
    fetchFile(addresses.file, file),
  ]);
  const scriptsFor = async (found: BookDocument | undefined) =>
    found?.format === "pdf" ? [await fetchScript(addresses.pdf)] : [];
  return {
    scripts: Promise.all([description.then(scriptsFor), engine]).then(([others, own]) => [...others, own]),
    book: all.then(([book, found, place, bookmarks, blob]) => ({
      ...{ book, description: found, place, bookmarks, file: blob },
      unsent,
    })),
  };
}

function unsentPlace({ offline }: LongboxClient, cvIssueId: number): StoredPlace | undefined {
  const { locator, fraction } = offline.reports.find(reportPath(cvIssueId)) ?? {};
  return typeof locator === "string" && typeof fraction === "number" ? { locator, fraction } : undefined;
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

/**
 * Where this device was without a connection, the position of the server, or this device's own where another device is
 * further.
 */
export function beginningOf({ place, unsent }: FetchedBook, userId: number, cvIssueId: number): Beginning {
  const { further } = place;
  const own = unsent ?? lastPlaceHere(userId, cvIssueId);
  if (further && own) return { place: own, further: further.fraction > own.fraction + leastAhead ? further : null };
  if (unsent) return { place: unsent, further: null };
  return { place: place.at === null ? undefined : { locator: place.locator, fraction: place.fraction }, further: null };
}

async function fetchScript(address: string): Promise<string> {
  const answer = await fetch(addressOf(address));
  if (!answer.ok) throw new Error(t("fetching.theReaderWasUpdated"));
  return answer.text();
}

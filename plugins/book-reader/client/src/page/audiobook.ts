import type { Forms } from "@longbox/collection/api";
import type { FormPlaces } from "@longbox/reading/api";
import type { LongboxClient } from "@longbox/sdk/client";
import type { StoredPlace } from "../protocol.js";
import { leastAhead } from "./fetching.js";

/** A place in another form of the work, as a place in this book. */
export type FormPlace = FormPlaces["places"][number];

/** The audiobook of a book. */
export interface Audiobook {
  readonly title: string;
  /** The address at which it is played from the reader's place in the book. */
  readonly href: string;
  /** Where the user is in it; undefined before it was begun and after its end. */
  readonly place: FormPlace | undefined;
}

interface BookIds {
  readonly id: number;
  readonly cvIssueId: number;
}

/** The audiobook that was listened to last; undefined without one that this user can play. */
export async function findAudiobook(longbox: LongboxClient, book: BookIds): Promise<Audiobook | undefined> {
  const [{ forms }, places] = await Promise.all([
    longbox.api<Forms>(`/api/issue/${book.cvIssueId}/forms`),
    findFormPlaces(longbox, book.id),
  ]);
  const audiobooks = forms
    .filter(({ type, owned }) => type === "audiobook" && owned)
    .map((form) => ({ form, place: places.find(({ id }) => id === form.id) }))
    .toSorted((one, other) => (other.place?.at ?? "").localeCompare(one.place?.at ?? ""));
  for (const { form, place } of audiobooks) {
    const reading = place ? "reading" : "unread";
    const offered = longbox.actions({ kind: "issue", items: [{ ...form, reading }] });
    const href = offered.find((action) => action.isPrimary)?.href;
    if (href !== undefined) return { title: form.label.full, href: withSource(href, book.id), place };
  }
  return undefined;
}

/**
 * The place in the book where the user is in its other form `from`; undefined before that was begun and after its end.
 */
export async function beginningFrom(
  longbox: LongboxClient,
  id: number,
  from: number,
): Promise<StoredPlace | undefined> {
  const place = (await findFormPlaces(longbox, id)).find((each) => each.id === from);
  return place && { locator: "", fraction: place.fraction };
}

/** Where the user is in the other forms of the book. @param id - Of the book, its internal id */
async function findFormPlaces(longbox: LongboxClient, id: number): Promise<FormPlaces["places"]> {
  return (await longbox.api<FormPlaces>(`/api/reading/forms/${id}`)).places;
}

/** Whether a place is so far ahead of the shown one that it is worth offering. */
export function isAhead(place: FormPlace, shownFraction: number): boolean {
  return place.fraction >= shownFraction + leastAhead;
}

/** The player begins where the work with this id is. */
function withSource(href: string, id: number): string {
  const url = new URL(href, location.origin);
  url.searchParams.set("from", String(id));
  return `${url.pathname}${url.search}`;
}

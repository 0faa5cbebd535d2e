import type { Forms } from "@longbox/collection/api";
import type { FormPlaces } from "@longbox/reading/api";
import type { LongboxClient } from "@longbox/sdk/client";

/** A place in another form of the work, as a place in the audiobook. */
type FormPlace = FormPlaces["places"][number];

/** The e-book of an audiobook. */
export interface LinkedBook {
  readonly title: string;
  /** The address at which it is read from the listener's place on; undefined where no plugin shows it. */
  readonly href: string | undefined;
  /** Where the user is in it, in seconds of the audiobook; undefined before it was begun and after its end. */
  readonly place: { readonly seconds: number; readonly chapter: string | undefined } | undefined;
}

interface AudiobookIds {
  readonly id: number;
  readonly cvIssueId: number;
}

/** The e-book that was read last; undefined without one. */
export async function findLinkedBook(longbox: LongboxClient, audiobook: AudiobookIds): Promise<LinkedBook | undefined> {
  const [{ forms }, places] = await Promise.all([
    longbox.api<Forms>(`/api/issue/${audiobook.cvIssueId}/forms`),
    findFormPlaces(longbox, audiobook.id),
  ]);
  const [book] = forms
    .filter(({ type, owned }) => type === "ebook" && owned)
    .map((form) => ({ form, place: places.find(({ id }) => id === form.id) }))
    .toSorted((one, other) => (other.place?.at ?? "").localeCompare(one.place?.at ?? ""));
  if (!book) return undefined;
  const { form, place } = book;
  const reading = place ? "reading" : "unread";
  const offered = longbox.actions({ kind: "issue", items: [{ ...form, reading }] });
  const href = offered.find((action) => action.isPrimary)?.href;
  return { title: form.label.full, href: href && withSource(href, audiobook.id), place: place && secondsOf(place) };
}

/** Where the user is in another form, in seconds of the audiobook. @param from - The internal id of that form */
export async function findStart(longbox: LongboxClient, id: number, from: number): Promise<number | undefined> {
  const place = (await findFormPlaces(longbox, id)).find((each) => each.id === from);
  return place && secondsOf(place)?.seconds;
}

async function findFormPlaces(longbox: LongboxClient, id: number): Promise<FormPlaces["places"]> {
  return (await longbox.api<FormPlaces>(`/api/reading/forms/${id}`)).places;
}

function secondsOf({ seconds, chapter }: FormPlace): LinkedBook["place"] {
  return seconds === undefined ? undefined : { seconds, chapter };
}

/** The reader begins where the work with this id is. */
function withSource(href: string, id: number): string {
  const url = new URL(href, location.origin);
  url.searchParams.set("from", String(id));
  return `${url.pathname}${url.search}`;
}

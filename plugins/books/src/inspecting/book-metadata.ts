import type { PartialDate, Person } from "@longbox/files/contract";
import type { BookDetails } from "../details.js";

/** What a book, or a file beside it, says of itself. Missing values are undefined or empty. */
export interface BookMetadata {
  readonly title?: string | undefined;
  readonly people: readonly Person[];
  readonly language?: string | undefined;
  readonly publisher?: string | undefined;
  readonly date?: PartialDate | undefined;
  /** Plain text. */
  readonly description?: string | undefined;
  readonly subjects: readonly string[];
  readonly series?: { readonly name: string; readonly number: string | undefined } | undefined;
  /** By scheme: `isbn`, `asin`. */
  readonly ids: Readonly<Record<string, string>>;
}

export const noMetadata: BookMetadata = { people: [], subjects: [], ids: {} };

/** What a reader of a format found in a file. */
export interface BookLook {
  readonly metadata: BookMetadata;
  readonly details: BookDetails;
}

/** The first says more: what it lacks is taken from the second. */
export function joinMetadata(first: BookMetadata, second: BookMetadata): BookMetadata {
  return {
    title: first.title ?? second.title,
    people: first.people.length > 0 ? first.people : second.people,
    language: first.language ?? second.language,
    publisher: first.publisher ?? second.publisher,
    date: first.date ?? second.date,
    description: first.description ?? second.description,
    subjects: first.subjects.length > 0 ? first.subjects : second.subjects,
    series: first.series ?? second.series,
    ids: { ...second.ids, ...first.ids },
  };
}

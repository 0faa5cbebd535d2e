/** The library types whose works Open Library knows. */
export const libraryTypes = ["ebook", "audiobook"] as const;
/** The scheme of its ids in the collection. */
export const idScheme = "openlibrary";

export interface WorkSeries {
  readonly name: string;
  /** Empty where it is unknown: `2`, `1-7`. */
  readonly number: string;
}

/** An edition of a work. */
export interface FoundEdition {
  /** `OL2M` */
  readonly id: string;
  readonly title: string | undefined;
  /** As ISBNs of 13 digits. */
  readonly isbns: readonly string[];
  /** BCP 47 tags. */
  readonly languages: readonly string[];
  readonly coverId: number | undefined;
}

/** A work as a search finds it. Its languages and ISBNs are those of all its editions. */
export interface FoundWork {
  /** `OL1W` */
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  readonly authors: readonly string[];
  /** Of the first edition. */
  readonly year: number | undefined;
  readonly languages: readonly string[];
  readonly isbns: readonly string[];
  readonly publishers: readonly string[];
  readonly series: readonly WorkSeries[];
  readonly coverId: number | undefined;
  /** The edition that fits the search best. */
  readonly edition: FoundEdition | undefined;
}

/** All that is known of one work. */
export interface FullWork {
  readonly id: string;
  /** Ids that lead to it, because records were merged. */
  readonly formerIds: readonly string[];
  readonly title: string;
  readonly authors: readonly string[];
  /** HTML of paragraphs only. */
  readonly description: string | undefined;
  readonly subjects: readonly string[];
  readonly series: readonly WorkSeries[];
  readonly year: number | undefined;
  readonly coverId: number | undefined;
}

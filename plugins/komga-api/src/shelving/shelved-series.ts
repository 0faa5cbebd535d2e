/** A series that has books, with what they have in common. */
export interface ShelvedSeries {
  readonly id: number;
  readonly libraryId: number;
  readonly title: string;
  /** The title without a leading article, for sorting. */
  readonly sortTitle: string;
  readonly aliases: readonly string[];
  readonly publisher: string;
  readonly type: string;
  readonly language: string;
  readonly addedAt: string;
  /** When a book was added last. */
  readonly changedAt: string;
  readonly hasEnded: boolean;
  /** Ids of issues, in the order of their ids. */
  readonly bookIds: readonly number[];
  readonly genres: readonly string[];
  readonly tags: readonly string[];
  readonly authors: ReadonlyArray<{ readonly name: string; readonly role: string }>;
  readonly firstDate: string | undefined;
  /** The first description among the books, and the number of that book. */
  readonly summary: string;
  readonly summaryNumber: string;
}

/** A book of a list file, as the file describes it; absent values are "". */
export interface Book {
  readonly series: string;
  readonly number: string;
  /** Usually the year in which the series began. */
  readonly volume: string;
  /** The year of the issue. */
  readonly year: string;
  /** The provider's ids, when the file names them. */
  readonly cvIssueId: number | undefined;
  readonly volumeId: number | undefined;
}

/** A reading order as ComicRack and others write it. */
export interface ListFile {
  readonly name: string | undefined;
  readonly books: readonly Book[];
}

/** How long a work is: what {@link FileReading.measure} counts depends on what is read. */
export type Measure =
  | { readonly kind: "pages"; readonly pages: number }
  /** Text that flows: positions are fractions of the whole. */
  | { readonly kind: "fraction" }
  | { readonly kind: "seconds"; readonly seconds: number };

export interface Person {
  readonly name: string;
  /** In lower case: `writer`, `cover`, `narrator`. */
  readonly role: string;
}

/** A date of which the month and the day may be unknown. */
export interface PartialDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month?: number | undefined;
  readonly day?: number | undefined;
}

/** What a file says of the series to which it belongs. */
export interface SeriesReading {
  readonly name?: string | undefined;
  readonly publisher?: string | undefined;
  /** A volume's number, or the year in which it began. */
  readonly volume?: number | undefined;
  readonly rightToLeft?: boolean | undefined;
  /**
   * How many levels above the file's folder the folder of the series is: 0 for the same, 1 where each work has a folder
   * to itself. Never above the library's root. Left out, the names of the folders decide.
   */
  readonly foldersAbove?: number | undefined;
  /** Ids by scheme, such as `{ cv: "4711" }`. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
}

/** The metadata inside a file. Missing values are undefined, and may be derived from the file's name. */
export interface FileReading {
  readonly series?: SeriesReading | undefined;
  /**
   * The number within the series: `1`, `½`, `Annual 2`. Empty when it has none and its title tells it from the others
   * of the series, as with books; undefined when the file does not say, and its name may.
   */
  readonly number?: string | undefined;
  /** The kind of edition, where editions have numbers of their own: `Annual`, `TPB`, `One-Shot`. */
  readonly edition?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
  /** For whom it is: `Teen`, `Mature 17+`. */
  readonly ageRating?: string | undefined;
  readonly date?: PartialDate | undefined;
  readonly people?: readonly Person[] | undefined;
  /** What it is about, by kind: `characters`, `teams`, `locations`, `arcs`, `subjects`. */
  readonly subjects?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly url?: string | undefined;
  /** Ids by scheme, such as `{ cv: "4711", isbn: "9780306406157" }`. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
}

/** What a folder says of the series in it. */
export interface FolderReading {
  readonly name?: string | undefined;
  /** In which the series began. */
  readonly year?: number | undefined;
  readonly publisher?: string | undefined;
  readonly ids?: Readonly<Record<string, string>> | undefined;
}

/** What an inspector found in a file. */
export interface Inspection {
  readonly measure: Measure;
  /** Whether the file has tags that identify it. */
  readonly tagged: boolean;
  readonly reading: FileReading;
  /** Why the file cannot be read, in a sentence that a person may see; without paths. */
  readonly error?: string | undefined;
  /** The file is listed with its error, without a format, and looked into again as soon as other formats are there. */
  readonly awaitsFormat?: boolean | undefined;
  /**
   * Bytes by which the contents are recognised wherever the file or the folder lies; without them, a file is by both of
   * its ends, and a folder is not.
   */
  readonly identity?: Uint8Array | undefined;
  /** Of a work of several files: their names below the folder, in order. */
  readonly parts?: readonly string[] | undefined;
  /** JSON that the format's plugin gets back from `files.engine`, such as which page shows the cover. At most 64 kB. */
  readonly details?: unknown;
}

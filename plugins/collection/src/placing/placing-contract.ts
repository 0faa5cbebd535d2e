import type { IssueKind } from "../issues/issue-kind.js";

/** What a file says of its series and issue, by its tags, its name and its folder, best evidence first. */
export interface ReadFile {
  readonly libraryId: number;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  /** 0 where it has none. */
  readonly pages: number;
  /** How long it plays. */
  readonly seconds?: number | undefined;
  /** The id of its format, such as `epub`. */
  readonly format?: string | undefined;
  readonly valid: boolean;
  readonly tagged: boolean;
  readonly error?: string | undefined;
  readonly series: {
    readonly name: string;
    /** The folder that holds the series' files; files of one folder and one name are one series. */
    readonly folder: string;
    /** Tells series of one title in one folder apart: `2018`, `v2`. Undefined for the first or only one. */
    readonly apart?: string | undefined;
    readonly year?: number | undefined;
    readonly volume?: number | undefined;
    readonly publisher?: string | undefined;
    readonly cvId?: number | undefined;
    readonly rightToLeft?: boolean | undefined;
    /** What others call it, by scheme; `cv` is {@link cvId}. */
    readonly ids?: Readonly<Record<string, string>> | undefined;
  };
  readonly issue: {
    /** Empty where it has none: then its title tells it from the others of the series. */
    readonly number: string;
    readonly kind: IssueKind;
    readonly cvIssueId?: number | undefined;
    readonly title?: string | undefined;
    readonly coverDate?: string | undefined;
    readonly description?: string | undefined;
    readonly credits?: ReadonlyArray<{ readonly name: string; readonly role: string }> | undefined;
    readonly characters?: readonly string[] | undefined;
    readonly teams?: readonly string[] | undefined;
    readonly locations?: readonly string[] | undefined;
    readonly arcs?: readonly string[] | undefined;
    /** What it is about: genres and topics. */
    readonly subjects?: readonly string[] | undefined;
    /** A BCP 47 tag. */
    readonly language?: string | undefined;
    readonly url?: string | undefined;
    /** For whom it is: `Teen`, `Mature 17+`. */
    readonly ageRating?: string | undefined;
    /** What others call it, by scheme: `isbn`, `asin`, `openlibrary`; `cv` is {@link cvIssueId}. */
    readonly ids?: Readonly<Record<string, string>> | undefined;
  };
}

export interface PlacedFile {
  readonly path: string;
  readonly seriesId: number;
  readonly issueId: number;
}

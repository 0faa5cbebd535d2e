import type { IssueKind } from "@longbox/collection/contract";

/** What a file's name says. What it does not say is undefined. */
export interface ParsedName {
  readonly series: string | undefined;
  /** As the collection writes numbers: `1`, `-1`, `½`, `1.5`, `12A`, `Annual 2`, `TPB 1`, `Vol. 3`, `1-6`. */
  readonly number: string | undefined;
  readonly kind: IssueKind;
  /** A volume's number or its first year. */
  readonly volume: number | undefined;
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number | undefined;
  readonly day: number | undefined;
  /** How many issues the series has: `(of 06)`. */
  readonly count: number | undefined;
  readonly title: string | undefined;
  /** Hardcover, Omnibus and the like. */
  readonly edition: string | undefined;
  /** The other bracketed words, such as `Digital`. */
  readonly tags: readonly string[];
  readonly cvIssueId: number | undefined;
  /** False when another reading is nearly as likely: a person should look at it. */
  readonly isCertain: boolean;
  /** Why it was read so, a sentence for each rule that found something. */
  readonly reasons: readonly string[];
}

/** A name as its folder explains it. */
export interface DecidedName extends ParsedName {
  /** Tells series of one title in one folder apart: `2018`, `v2`. Undefined for the first or only one. */
  readonly apart: string | undefined;
}

/** Why a release is accepted or not, for programs. */
export type ReasonCode =
  | "series-matches"
  | "issue-matches"
  | "year-matches"
  | "format-preferred"
  | "word-preferred"
  | "source-preferred"
  | "seeders"
  | "fresh"
  | "pack-holds"
  | "wrong-series"
  | "wrong-issue"
  | "wrong-year"
  | "wrong-format"
  | "word-refused"
  | "too-small"
  | "too-large"
  | "no-seeds"
  | "too-old"
  | "blocklisted"
  | "owned"
  | "queued-already"
  | "pack"
  | "no-pack"
  | "pack-without-issue"
  | "no-disk"
  | "password-protected"
  | "source-resting"
  | "no-client"
  | "unsure";

export interface Reason {
  readonly code: ReasonCode;
  /** A sentence for a person. */
  readonly text: string;
  /** It speaks against the release; `refuses` ones mean that it is not taken by itself. */
  readonly against: boolean;
}

/** What each reason adds to the score; those that refuse take all of it. */
export interface Weighed extends Reason {
  readonly weight: number;
  readonly refuses: boolean;
}

export const favour = (code: ReasonCode, weight: number, text: string): Weighed => ({
  code,
  text,
  weight,
  against: false,
  refuses: false,
});
export const doubt = (code: ReasonCode, weight: number, text: string): Weighed => ({
  code,
  text,
  weight: -weight,
  against: true,
  refuses: false,
});
export const refuse = (code: ReasonCode, text: string): Weighed => ({
  code,
  text,
  weight: -100,
  against: true,
  refuses: true,
});

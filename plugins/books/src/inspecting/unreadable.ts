import type { Protection } from "../details.js";

/** A book that cannot be read, and why, in a sentence that a person may see. It never holds a path. */
export class UnreadableBook extends Error {
  override readonly name = "UnreadableBook";
}

export function damaged(what: string, options?: ErrorOptions): UnreadableBook {
  return new UnreadableBook(`The book is damaged: ${what}.`, options);
}

const schemes: Readonly<Record<Protection, string>> = {
  adobe: "Adobe",
  amazon: "Amazon",
  apple: "Apple",
  "barnes-noble": "Barnes & Noble",
  kobo: "Kobo",
  lcp: "Readium LCP",
  password: "a password",
  unknown: "its seller",
};

/** The reason that is kept beside a protected book. */
export function protectedBy(protection: Protection): string {
  return protection === "password"
    ? "The book is protected by a password."
    : `The book is protected by ${schemes[protection]} (DRM): only the seller's programs can open it.`;
}

import type { SeriesDocument } from "../api.js";

/** So many gaps are named; the others are only counted. */
const mostNamed = 10;

/** `4, 6–8`, or nothing where no number is missing. */
export function gapsOf({ gaps }: Pick<SeriesDocument, "gaps">): string {
  const named = gaps.slice(0, mostNamed).map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
  const rest = gaps.length - named.length;
  return rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
}

import type { CatalogPath } from "./catalog/catalog-feed.js";
import type { Identifiers } from "./identifiers.js";

/** Absolute addresses for one request: clients resolve relative ones differently, and some not at all. */
export interface Addresses {
  readonly identifiers: Identifiers;
  readonly origin: string;
  /** `/api/opds` or `/api/opds/v2`. */
  readonly base: string;
}

export const atomBase = "/api/opds";
export const jsonBase = "/api/opds/v2";

export function feedAddress({ origin, base }: Addresses, path: CatalogPath): string {
  return `${origin}${base}${path}`;
}

/** The first page of the issue, at least so many pixels wide. */
export function coverAddress({ origin }: Addresses, cvIssueId: number, width: number): string {
  return `${origin}/api/opds/issue/${cvIssueId}/cover?w=${width}`;
}

/** Ends in the file's name, which some programs save it under. */
export function fileAddress({ origin }: Addresses, cvIssueId: number, name: string): string {
  return `${origin}/api/opds/issue/${cvIssueId}/file/${encodeURIComponent(name)}`;
}

export function progressionAddress(
  { origin }: Addresses,
  cvIssueId: number,
  document: "progression" | "readium-progression",
): string {
  return `${origin}${jsonBase}/issue/${cvIssueId}/${document}`;
}

export function pageAddress({ origin }: Addresses, cvIssueId: number, page: number | "{pageNumber}"): string {
  return `${origin}/api/opds/issue/${cvIssueId}/page/${page}`;
}

import type { Position, ReadingState } from "@longbox/reading/contract";
import type { KnownDocument } from "./documents.js";
import type { Report } from "./reports.js";

/** Page numbers begin at 1. A number beyond the pages that the library counted is used as a fraction only. */
export function positionOf({ progress, percentage }: Report, { issue: { pages } }: KnownDocument): Position {
  const page = /^\d{1,9}$/.test(progress) ? Number(progress) : 0;
  if (page >= 1 && page <= pages) return { kind: "page", page: page - 1, pages };
  return { kind: "locator", locator: progress, fraction: percentage };
}

/**
 * Where to continue, as KOReader names positions: a page number or an XPointer. Undefined when it cannot be expressed.
 * @param reports - of the user's e-readers about the document, whose XPointers are the most exact
 */
export function progressOf(
  state: ReadingState,
  { issue, isPaged }: KnownDocument,
  reports: readonly Report[],
): string | undefined {
  if (isPaged) return String(1 + (state.places.page?.page ?? pageAt(state.fraction, issue.pages)));
  const { page, locator } = state.places;
  if (locator && isXPointer(locator.locator)) return locator.locator;
  const fragment = (locator && fragmentOfCfi(locator.locator)) ?? (page && page.page + 1);
  if (fragment === undefined) return undefined;
  return furthestIn(fragment, state.fraction, reports) ?? `/body/DocFragment[${fragment}]/body`;
}

const pageAt = (fraction: number, pages: number): number =>
  Math.min(pages - 1, Math.max(0, Math.ceil(fraction * pages) - 1));

const isXPointer = (locator: string): boolean => locator.startsWith("/");

/** The place of the CFI's document in the spine of an EPUB, from 1; KOReader counts its fragments in the same way. */
function fragmentOfCfi(locator: string): number | undefined {
  const step = Number(/^epubcfi\(\/6\/(\d{1,6})/.exec(locator)?.[1] ?? 0);
  return step >= 2 && step % 2 === 0 ? step / 2 : undefined;
}

/** A position of an e-reader in the same part, not beyond the fraction: better than the beginning of the part. */
function furthestIn(fragment: number, fraction: number, reports: readonly Report[]): string | undefined {
  return reports
    .filter(({ progress, percentage }) => fragmentOfXPointer(progress) === fragment && percentage <= fraction)
    .sort((one, other) => other.percentage - one.percentage)[0]?.progress;
}

function fragmentOfXPointer(progress: string): number | undefined {
  const found = /^\/body\/DocFragment(?:\[(\d{1,6})\])?/.exec(progress);
  return found ? Number(found[1] ?? 1) : undefined;
}

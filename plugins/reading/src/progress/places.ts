import type { Places, Position } from "../contract.js";

/** What is known of a work's length, and the last locator that a program named in it. */
export interface Measures {
  readonly pages: number | undefined;
  readonly durationSeconds: number | undefined;
  readonly locator: { readonly text: string; readonly fraction: number } | undefined;
}

/**
 * The fraction from which a position in a text counts as its end, because programs report the beginning of the last
 * page.
 */
const endFraction = 0.995;
/** The end of a recording, at most: credits and silence. */
const endSeconds = 30;
const endPart = 0.01;
/** Of a page: programs send fractions with four digits. */
const tolerance = 0.05;
/** A locator is valid for fractions within this distance of the one that was reported with it. */
const locatorReach = 0.002;

/** The fraction of the work that has been read at this position. A page counts as read when it is shown. */
export function fractionOf(position: Position): number {
  if (position.kind === "page") return within(0, 1, (position.page + 1) / position.pages);
  if (position.kind === "locator") return within(0, 1, position.fraction);
  return position.duration > 0 ? within(0, 1, position.seconds / position.duration) : 0;
}

export function isEnd(position: Position): boolean {
  if (position.kind === "page") return position.page >= position.pages - 1;
  if (position.kind === "locator") return position.fraction >= endFraction;
  const { seconds, duration } = position;
  return duration > 0 && seconds >= duration - Math.min(endSeconds, duration * endPart);
}

/** The page, counted from 0, up to which a work of so many pages has been read. */
export function pageAt(fraction: number, pages: number): number {
  return within(0, pages - 1, Math.ceil(fraction * pages - tolerance) - 1);
}

/** How many pages have been read at this position; 0 when the work is not measured in pages. */
export function pagesReached(position: Position, pages: number | undefined): number {
  if (position.kind === "page") return Math.min(position.page + 1, position.pages);
  if (position.kind === "time" || !pages) return 0;
  return Math.floor(within(0, 1, position.fraction) * pages + tolerance);
}

export function secondsReached(position: Position): number {
  if (position.kind !== "time") return 0;
  return Math.floor(position.duration > 0 ? Math.min(position.seconds, position.duration) : position.seconds);
}

/** Updates the known length of the work from a report. */
export function measuresWith(known: Measures, position: Position): Measures {
  if (position.kind === "page") return { ...known, pages: position.pages };
  if (position.kind === "time") return { ...known, durationSeconds: position.duration || known.durationSeconds };
  const { locator: text, fraction } = position;
  // The first count holds: one that changed with the device would count pages again.
  const counted = { ...known, pages: known.pages ?? position.pages };
  return text === "" ? counted : { ...counted, locator: { text, fraction } };
}

/** Converts a position to every unit that is known for the work. */
export function placesOf(position: Position, { pages, durationSeconds, locator }: Measures): Places {
  const fraction = fractionOf(position);
  const isNear = locator !== undefined && Math.abs(locator.fraction - fraction) <= locatorReach;
  return {
    ...(pages && { page: { kind: "page", page: pageAt(fraction, pages), pages } }),
    ...(durationSeconds && { time: { kind: "time", seconds: fraction * durationSeconds, duration: durationSeconds } }),
    ...(isNear && { locator: { kind: "locator", locator: locator.text, fraction: locator.fraction } }),
    [position.kind]: position,
  };
}

/** The end of a work, in the kind in which it is read. */
export function endOf(kind: Position["kind"] | undefined, { pages, durationSeconds }: Measures): Position {
  if (kind === "time" && durationSeconds) return { kind, seconds: durationSeconds, duration: durationSeconds };
  if (kind !== "locator" && pages) return { kind: "page", page: pages - 1, pages };
  return { kind: "locator", locator: "", fraction: 1 };
}

function within(least: number, most: number, value: number): number {
  return Math.min(most, Math.max(least, value));
}

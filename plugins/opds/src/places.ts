import { hash } from "node:crypto";
import type { Issue } from "@longbox/collection/contract";
import type { Position, ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { z } from "zod";
import { NothingOwned, ProgressionIsOlder } from "./opds-errors.js";

/** What programs that only stream pages are as a device. */
export const pageStreaming = "Page streaming";

/** Bytes of a locator that are kept. */
const longestLocator = 4000;

export const deviceSchema = z.object({ id: z.string().min(1).max(1000), name: z.string().min(1).max(1000) });

/** What a program tells of a place, in either document. */
export interface ToldPlace {
  readonly modified: string;
  readonly device: z.output<typeof deviceSchema>;
  readonly position: Position;
}

/** How much of the whole lies before the page or place; everything once it has been read. */
export function fractionBefore({ places: { page }, fraction, completed }: ReadingState): number {
  if (completed) return 1;
  return page ? page.page / page.pages : fraction;
}

/** A page is told as a fraction of what lies before it, which must lead back to it. */
export function pageAt(fraction: number, pages: number): number {
  return Math.min(pages - 1, Math.floor(fraction * pages + 1e-6));
}

/** @param page - counted from 1, as documents name pages */
export function pagePosition(page: number, pages: number): Position {
  return { kind: "page", page: Math.min(pages, page) - 1, pages };
}

/** A place in a work without pages, with what the program calls it. */
export function namedPosition(fraction: number, name: string): Position {
  return { kind: "locator", locator: name.length > longestLocator ? "" : name, fraction };
}

/** How far the viewer is in an issue that has been begun. */
export async function findPlace(
  reading: ReadingContract,
  issue: Issue,
  viewer: Viewer,
): Promise<ReadingState | undefined> {
  return (await reading.find(viewer, [issue.id]))[0];
}

/** Records what a program tells. @returns what holds now @throws {ProgressionIsOlder} @throws {NothingOwned} */
export async function keepPlace(
  reading: ReadingContract,
  { issue, viewer, ...told }: ToldPlace & { readonly issue: Issue; readonly viewer: Viewer },
): Promise<ReadingState> {
  const known = await findPlace(reading, issue, viewer);
  if (known && Date.parse(known.at) > Date.parse(told.modified)) throw new ProgressionIsOlder(known.at);
  const { position, modified } = told;
  await reading.report(viewer, issue.id, { position, at: modified, device: deviceName(told.device) });
  const kept = await findPlace(reading, issue, viewer);
  if (!kept) throw new NothingOwned(issue.cvIssueId);
  return kept;
}

/** Two devices of one name are told apart by a part of their ids. */
function deviceName({ id, name }: ToldPlace["device"]): string {
  return `${name.slice(0, 100)} (${hash("sha1", id).slice(0, 6)})`;
}

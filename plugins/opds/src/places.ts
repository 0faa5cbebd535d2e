import { hash } from "node:crypto";
import type { Issue } from "@longbox/collection/contract";
import type { Position, ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { z } from "zod";
import { NothingOwned, ProgressionIsOlder } from "./opds-errors.js";

/** The device id of all clients that only stream pages. */
export const pageStreaming = "Page streaming";

/** The maximum size of a stored locator in bytes. */
const longestLocator = 4000;

export const deviceSchema = z.object({ id: z.string().min(1).max(1000), name: z.string().min(1).max(1000) });

/** A reported position, from either document. */
export interface ToldPlace {
  readonly modified: string;
  readonly device: z.output<typeof deviceSchema>;
  readonly position: Position;
}

/** The fraction of the work before the position; 1 when it has been finished. */
export function fractionBefore({ places: { page }, fraction, completed }: ReadingState): number {
  if (completed) return 1;
  return page ? page.page / page.pages : fraction;
}

/** Converts a page to a fraction that converts back to the same page. */
export function pageAt(fraction: number, pages: number): number {
  return Math.min(pages - 1, Math.floor(fraction * pages + 1e-6));
}

/** @param page - counted from 1, as documents name pages */
export function pagePosition(page: number, pages: number): Position {
  return { kind: "page", page: Math.min(pages, page) - 1, pages };
}

/** A position in a work without pages, with the client's locator. */
export function namedPosition(fraction: number, name: string): Position {
  return { kind: "locator", locator: name.length > longestLocator ? "" : name, fraction };
}

/** The viewer's progress in an issue that was started. */
export async function findPlace(
  reading: ReadingContract,
  issue: Issue,
  viewer: Viewer,
): Promise<ReadingState | undefined> {
  return (await reading.find(viewer, [issue.id]))[0];
}

/** Records a report. @returns the merged progress @throws {ProgressionIsOlder} @throws {NothingOwned} */
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

/** Devices of the same name are distinguished by a part of their ids. */
function deviceName({ id, name }: ToldPlace["device"]): string {
  return `${name.slice(0, 100)} (${hash("sha1", id).slice(0, 6)})`;
}

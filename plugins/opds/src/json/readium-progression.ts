import type { IssueProgress } from "@longbox/reader/contract";
import { z } from "zod";
import { pageAddress, type Addresses } from "../addresses.js";
import { deviceOf, deviceSchema, fractionOf, pageAt, timeSchema } from "./progression.js";

export const readiumProgressionType = "application/vnd.readium.progression+json";
export const readiumProgressionRelation = "http://www.cantook.com/api/progression";

const fraction = z.number().min(0).max(1).optional();
const locationsSchema = z
  .object({ position: z.number().int().positive().optional(), totalProgression: fraction, progression: fraction })
  .refine(({ position, totalProgression }) => (position ?? totalProgression) !== undefined, "must hold position or totalProgression");

/** How far a program says that its user has read: the older document, which Cantook and others use. */
export const readiumProgressionSchema = z.object({
  modified: timeSchema,
  device: deviceSchema,
  locator: z.object({ href: z.string().max(10_000), type: z.string().max(200), locations: locationsSchema }),
});

export type ReadiumProgression = z.output<typeof readiumProgressionSchema>;

export function readiumProgressionDocument(known: IssueProgress, cvIssueId: number, addresses: Addresses): Record<string, unknown> {
  const href = pageAddress(addresses, cvIssueId, known.page);
  return {
    modified: known.readAt,
    device: deviceOf(addresses.identifiers),
    locator: { href, type: "image/jpeg", locations: { position: known.page + 1, progression: 0, totalProgression: fractionOf(known) } },
  };
}

/** The page that is meant, counted from 0. */
export function pageOfLocator({ locator: { locations } }: ReadiumProgression, pages: number): number {
  return locations.position === undefined ? pageAt(locations.totalProgression ?? 0, pages) : Math.min(pages, locations.position) - 1;
}

import type { Issue } from "@longbox/collection/contract";
import type { Position, ReadingState } from "@longbox/reading/contract";
import { z } from "zod";
import { feedAddress, pageAddress, type Addresses } from "../addresses.js";
import { deviceSchema, fractionBefore, namedPosition, pageAt, pagePosition } from "../places.js";
import { deviceOf, timeSchema } from "./progression.js";

export const readiumProgressionType = "application/vnd.readium.progression+json";
export const readiumProgressionRelation = "http://www.cantook.com/api/progression";

const fraction = z.number().min(0).max(1).optional();
const locationsSchema = z
  .object({ position: z.number().int().positive().optional(), totalProgression: fraction, progression: fraction })
  .refine(
    ({ position, totalProgression }) => (position ?? totalProgression) !== undefined,
    "must hold position or totalProgression",
  );

/** A progress report of a client in the older document, which Cantook and others use. */
export const readiumProgressionSchema = z.object({
  modified: timeSchema,
  device: deviceSchema,
  locator: z.object({ href: z.string().max(10_000), type: z.string().max(200), locations: locationsSchema }),
});

export type ReadiumProgression = z.output<typeof readiumProgressionSchema>;

/** @param issue - what is read; a work without pages is named by its file */
export function readiumProgressionDocument(
  known: ReadingState,
  issue: Pick<Issue, "cvIssueId">,
  addresses: Addresses,
): Record<string, unknown> {
  return {
    modified: known.at,
    device: deviceOf(addresses.identifiers),
    locator: locatorOf(known, issue, addresses),
  };
}

function locatorOf(known: ReadingState, { cvIssueId }: Pick<Issue, "cvIssueId">, addresses: Addresses): unknown {
  const { page, locator } = known.places;
  const totalProgression = fractionBefore(known);
  if (page) {
    const href = pageAddress(addresses, cvIssueId, page.page);
    return { href, type: "image/jpeg", locations: { position: page.page + 1, progression: 0, totalProgression } };
  }
  const { href, type } = readName(locator?.locator) ?? {
    href: feedAddress(addresses, `/issue/${cvIssueId}`),
    type: "application/opds-publication+json",
  };
  return { href, type, locations: { totalProgression } };
}

/** The reported position. @param pages - 0 when the work has none */
export function positionOfLocator({ locator }: ReadiumProgression, pages: number): Position {
  const { position, totalProgression, progression } = locator.locations;
  if (pages > 0) return pagePosition(position ?? pageAt(totalProgression ?? 0, pages) + 1, pages);
  return namedPosition(
    totalProgression ?? progression ?? 0,
    JSON.stringify({ href: locator.href, type: locator.type }),
  );
}

const nameSchema = z.object({ href: z.string(), type: z.string() });

/** The locator that a client reported in this document; locators of other clients differ. */
function readName(text: string | undefined): z.output<typeof nameSchema> | undefined {
  if (!text?.startsWith("{")) return undefined;
  try {
    return nameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

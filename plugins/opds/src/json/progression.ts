import type { Position, ReadingState } from "@longbox/reading/contract";
import { z } from "zod";
import type { Identifiers } from "../identifiers.js";
import { deviceSchema, fractionBefore, namedPosition, pageAt, pagePosition } from "../places.js";

export const progressionType = "application/opds-progression+json";
export const progressionRelation = "http://opds-spec.org/progression";

export const timeSchema = z.iso.datetime({ offset: true });
const references = z.array(z.string().max(2000)).max(100).optional();

/** A progress report of a client. */
export const progressionSchema = z.object({
  modified: timeSchema,
  device: deviceSchema,
  progression: z.number().min(0).max(1),
  title: z.string().max(10_000).optional(),
  references,
  /** The references in the schema of the draft. */
  refs: references,
});

export type Progression = z.output<typeof progressionSchema>;

export function progressionDocument(known: ReadingState, identifiers: Identifiers): Record<string, unknown> {
  const { page, locator } = known.places;
  const reference = page ? `#page=${page.page + 1}` : locator?.locator;
  return {
    modified: known.at,
    device: deviceOf(identifiers),
    progression: fractionBefore(known),
    ...(reference && { references: [reference] }),
  };
}

/**
 * The reported position. In a work with pages it is the named page, or else the page at the reported fraction.
 * @param pages - 0 when the work has none
 */
export function positionOfProgression(
  { progression, references = [], refs = [] }: Progression,
  pages: number,
): Position {
  const all = [...references, ...refs];
  if (pages === 0) return namedPosition(progression, all[0] ?? "");
  const named = all.map((reference) => /#page=([1-9]\d{0,5})$/.exec(reference)?.[1]).find((page) => page !== undefined);
  return pagePosition(named === undefined ? pageAt(progression, pages) + 1 : Number(named), pages);
}

/** The device is this server, since the merged position may come from any device. */
export function deviceOf(identifiers: Identifiers): { id: string; name: string } {
  return { id: identifiers.of("server"), name: "Longbox" };
}

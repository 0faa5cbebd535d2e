import type { IssueProgress } from "@longbox/reader/contract";
import { z } from "zod";
import type { Identifiers } from "../identifiers.js";

export const progressionType = "application/opds-progression+json";
export const progressionRelation = "http://opds-spec.org/progression";

const references = z.array(z.string().max(2000)).max(100).optional();

/** How far a program says that its user has read. */
export const progressionSchema = z.object({
  modified: z.iso.datetime({ offset: true }),
  device: z.object({ id: z.string().min(1).max(1000), name: z.string().min(1).max(1000) }),
  progression: z.number().min(0).max(1),
  title: z.string().max(10_000).optional(),
  references,
  /** What the draft's schema calls the references. */
  refs: references,
});

export type Progression = z.output<typeof progressionSchema>;

/** How far the viewer is. It does not matter which device said so: this server tells of it. */
export function progressionDocument({ page, pages, completed, readAt }: IssueProgress, identifiers: Identifiers): Record<string, unknown> {
  return {
    modified: readAt,
    device: { id: identifiers.of("server"), name: "Longbox" },
    progression: completed ? 1 : Math.min(1, page / Math.max(1, pages)),
    references: [`#page=${page + 1}`],
  };
}

/** The page that is meant, counted from 0: the one that is named, or else the one at that part of the whole. */
export function pageOfProgression({ progression, references = [], refs = [] }: Progression, pages: number): number {
  const named = [...references, ...refs].map((reference) => /#page=([1-9]\d{0,5})$/.exec(reference)?.[1]).find((page) => page !== undefined);
  // A page is told as a fraction, which must lead back to it.
  const page = named === undefined ? Math.floor(progression * pages + 1e-6) : Number(named) - 1;
  return Math.min(pages - 1, page);
}

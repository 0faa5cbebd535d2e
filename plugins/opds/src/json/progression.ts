import type { IssueProgress } from "@longbox/reader/contract";
import { z } from "zod";
import type { Identifiers } from "../identifiers.js";

export const progressionType = "application/opds-progression+json";
export const progressionRelation = "http://opds-spec.org/progression";

export const timeSchema = z.iso.datetime({ offset: true });
export const deviceSchema = z.object({ id: z.string().min(1).max(1000), name: z.string().min(1).max(1000) });
const references = z.array(z.string().max(2000)).max(100).optional();

/** How far a program says that its user has read. */
export const progressionSchema = z.object({
  modified: timeSchema,
  device: deviceSchema,
  progression: z.number().min(0).max(1),
  title: z.string().max(10_000).optional(),
  references,
  /** What the draft's schema calls the references. */
  refs: references,
});

export type Progression = z.output<typeof progressionSchema>;

export function progressionDocument(known: IssueProgress, identifiers: Identifiers): Record<string, unknown> {
  return { modified: known.readAt, device: deviceOf(identifiers), progression: fractionOf(known), references: [`#page=${known.page + 1}`] };
}

/** The page that is meant, counted from 0: the one that is named, or else the one at that part of the whole. */
export function pageOfProgression({ progression, references = [], refs = [] }: Progression, pages: number): number {
  const named = [...references, ...refs].map((reference) => /#page=([1-9]\d{0,5})$/.exec(reference)?.[1]).find((page) => page !== undefined);
  return named === undefined ? pageAt(progression, pages) : Math.min(pages, Number(named)) - 1;
}

/** It does not matter which device told of a place: this server does now. */
export function deviceOf(identifiers: Identifiers): { id: string; name: string } {
  return { id: identifiers.of("server"), name: "Longbox" };
}

/** How much of the whole lies before the page; everything once it has been read. */
export function fractionOf({ page, pages, completed }: IssueProgress): number {
  return completed ? 1 : Math.min(1, page / Math.max(1, pages));
}

/** A page is told as a fraction, which must lead back to it. */
export function pageAt(fraction: number, pages: number): number {
  return Math.min(pages - 1, Math.floor(fraction * pages + 1e-6));
}

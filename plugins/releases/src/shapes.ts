import { z } from "zod";

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

export const releaseSchema = z.object({
  /** The provider's volume. */
  cvId: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int().nullable(),
  series: z.string(),
  number: z.string(),
  title: z.string().nullable(),
  publisher: z.string().nullable(),
  storeDate: day,
  tracked: z.boolean(),
  owned: z.boolean(),
  wanted: z.boolean(),
  /** The viewer follows the series. */
  followed: z.boolean(),
  /** The first issue of its volume. */
  first: z.boolean(),
  /** On the viewer's pull list. */
  mine: z.boolean(),
  cover: z.string().nullable(),
});

export const releaseListSchema = z.object({
  /** Null where a month was asked for. */
  week: z.string().nullable(),
  month: z.string().nullable(),
  from: day,
  to: day,
  /** The weeks, or months, before and after. */
  previous: z.string(),
  next: z.string(),
  /** When the provider was asked for all of it last; null where it never was. */
  checkedAt: z.string().nullable(),
  releases: z.array(releaseSchema),
});

export const publisherSchema = z.object({
  publisher: z.string(),
  followed: z.boolean(),
  /** How many releases of the last month and the time to come are known. */
  releases: z.number().int(),
});

export const feedKeySchema = z.object({
  /** When the key was made; null where there is none. */
  madeAt: z.string().nullable(),
});

export const madeKeySchema = z.object({
  madeAt: z.string(),
  key: z.string(),
  /** Absolute addresses with the key; they are told this once. */
  calendar: z.string(),
  atom: z.string(),
});

import { z } from "zod";

const text = z.string().nullable();
const number = z.number().nullable();

export const volumeRowSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  publisher: text,
  startYear: number,
  issueCount: z.number().int(),
  image: text,
  deck: text,
  aliases: z.array(z.string()),
  inLibrary: z.boolean(),
  seriesId: z.number().int().optional(),
});
export type VolumeRow = z.output<typeof volumeRowSchema>;

export const volumeDocumentSchema = volumeRowSchema.extend({
  description: text,
  url: text,
  status: z.enum(["ongoing", "ended", "unknown"]),
  issues: z.array(z.object({ id: z.number().int(), number: z.string(), name: text, coverDate: text, storeDate: text })),
});

export const arcRowSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  publisher: text,
  deck: text,
  image: text,
});
export const arcDocumentSchema = arcRowSchema.extend({
  description: text,
  issues: z.array(z.object({ cvIssueId: z.number().int(), name: text })),
});

export const candidateSchema = volumeRowSchema.extend({ score: z.number(), reasons: z.array(z.string()) });
export const matchSchema = z.object({
  matched: z.boolean(),
  seriesId: z.number().int(),
  cvId: z.number().int().nullable(),
  reasons: z.array(z.string()),
  candidates: z.array(candidateSchema),
});

export const syncSchema = z.object({
  running: z.boolean(),
  done: z.number().int().optional(),
  total: z.number().int().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  matched: z.number().int().optional(),
  refreshed: z.number().int().optional(),
  waiting: z.number().int().optional(),
});

export const testSchema = z.object({ ok: z.boolean(), registered: z.boolean(), message: z.string() });

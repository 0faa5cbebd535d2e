import { z } from "zod";

const id = z.number().int();
const instant = z.iso.datetime().meta({ description: "ISO 8601 in UTC" });
const count = z.number().int().nonnegative();
const name = z.string().meta({ description: "As its type of library names it: `Moth Patrol #3`, `The Salt Road`" });

export const stateSchema = z.enum([
  "queued",
  "searching",
  "downloading",
  "grabbed",
  "importing",
  "done",
  "failed",
  "cancelled",
]);
const packStateSchema = z.enum(["active", "importing", "imported", "failed", "cancelled"]);

const progressFields = {
  progress: z.number().min(0).max(1).optional(),
  speed: z.number().optional().meta({ description: "Bytes per second" }),
  secondsLeft: z.number().optional(),
  phase: z.string().optional().meta({ description: "What a client does with it, or `waiting`" }),
  error: z.string().optional().meta({ description: "Why it waits, failed, or what there is to say" }),
  retryAt: instant.optional().meta({ description: "When it goes on by itself" }),
  queuedAt: instant,
  priority: z.number().int(),
  held: z.boolean().meta({ description: "A person paused it" }),
};

export const itemSchema = z.object({
  id,
  issueId: id,
  cvIssueId: id,
  seriesId: id,
  series: z.string(),
  number: z.string(),
  name,
  status: stateSchema,
  source: z.string().optional(),
  release: z.string().optional(),
  attempts: count,
  ...progressFields,
});

export const packSchema = z.object({
  id,
  seriesId: id,
  series: z.string(),
  release: z.string(),
  source: z.string(),
  status: packStateSchema,
  ...progressFields,
});

export const queueSchema = z.object({
  paused: z.boolean(),
  reason: z.string().optional().meta({ description: "Why nothing begins" }),
  items: z.array(itemSchema),
  packs: z.array(packSchema),
  total: count.meta({ description: "Items, also those beyond `limit`" }),
  counts: z.record(z.string(), count).meta({ description: "Items and packs by state" }),
});

/** What a search gave, given back: only the id counts. */
export const givenResult = z.object({ id: z.string().min(1).max(100) }).loose();

export const historyRowSchema = z.object({
  id,
  at: instant,
  seriesId: id,
  series: z.string(),
  number: z.string(),
  name,
  cvIssueId: id.optional(),
  release: z.string(),
  source: z.string(),
  path: z.string().optional().meta({ description: "Only for those who manage the library" }),
  error: z.string().optional(),
});
export const historySchema = z.object({ rows: z.array(historyRowSchema), total: count });

export const blockedSchema = z.object({
  id,
  source: z.string(),
  reason: z.string(),
  created_at: instant,
  title: z.string().meta({ description: "The release's title" }),
  issue_id: id.nullable(),
  issue_number: z.string(),
  series_id: id,
  series_title: z.string(),
});

export const sourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["site", "usenet", "torrent", "catalog"]),
  enabled: z.boolean(),
  priority: count.meta({ description: "Its place in the order, from 0" }),
  resting: z.object({ until: instant, reason: z.string() }).optional(),
  problem: z
    .object({ at: instant, message: z.string() })
    .optional()
    .meta({ description: "Why it did not answer last" }),
});

export const catalogEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  carries: z.string().meta({ description: "What it carries" }),
  requires: z.string().meta({ description: "What it requires" }),
  version: z.string(),
  installed: z.boolean(),
  updateAvailable: z.boolean(),
});

export const queuedSchema = z.object({ queued: count });
export const clearedSchema = z.object({ cleared: count });

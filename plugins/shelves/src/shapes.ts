import { z } from "zod";
import { keptSelectionSchema } from "./browsing/selection.js";
import { sorts } from "./thread/protocol.js";

export const statusSchema = z.object({
  /** Whether the index was built and answers. */
  ready: z.boolean(),
  /** How many items the viewer can browse; 0 as long as the index was never built. */
  size: z.number().int(),
  builtAt: z.string().nullable(),
  building: z.boolean(),
});

export const rebuildStatusSchema = z.object({
  running: z.boolean(),
  done: z.number().int(),
  /** 0 while it is not known. */
  total: z.number().int(),
  message: z.string().optional(),
  error: z.string().optional(),
  startedAt: z.string().optional(),
});

export const shelfItemSchema = z.object({
  /** The internal id, by which books and audiobooks are opened. */
  id: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int(),
  series: z.string(),
  number: z.string(),
  title: z.string().nullable(),
  label: z.object({ full: z.string(), short: z.string(), within: z.string().nullable() }),
  publisher: z.string().nullable(),
  coverDate: z.string().nullable(),
  type: z.string(),
  owned: z.boolean(),
  corrupt: z.boolean(),
  pages: z.number().int(),
  seconds: z.number().nullable(),
  addedAt: z.string(),
  cover: z.string(),
  read: z.enum(["unread", "reading", "read"]),
  /** How far it is read, 0 to 1. */
  fraction: z.number(),
  /** The viewer's own rating: 1 to 5, 0 for none. */
  rating: z.number().int(),
});
export type ShownItem = z.output<typeof shelfItemSchema>;

export const itemPageSchema = z.object({
  items: z.array(shelfItemSchema),
  total: z.number().int(),
  /** Counted from 0. */
  page: z.number().int(),
  limit: z.number().int(),
});

export const facetValueSchema = z.object({
  /** As it stands in an address; empty for items without any. */
  value: z.string(),
  label: z.string(),
  count: z.number().int(),
  selected: z.boolean(),
  excluded: z.boolean(),
});
export const facetsSchema = z.record(z.string(), z.array(facetValueSchema));

export const facetListSchema = z.array(
  z.object({ name: z.string(), label: z.string(), values: z.array(facetValueSchema) }),
);

export const authorSchema = z.object({ name: z.string(), count: z.number().int() });

const shelfName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/[\u0000-\u001f\u007f]/.test(name), "must be one line of text");

export const newShelfSchema = z.object({
  name: shelfName,
  selection: keptSelectionSchema,
  sort: z.enum(sorts).default("title"),
  shared: z.boolean().default(false),
  onHome: z.boolean().default(false),
});
export const shelfChangeSchema = z.object({
  name: shelfName.optional(),
  selection: keptSelectionSchema.optional(),
  sort: z.enum(sorts).optional(),
  shared: z.boolean().optional(),
  onHome: z.boolean().optional(),
});

export const keptShelfSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  selection: keptSelectionSchema,
  sort: z.enum(sorts),
  shared: z.boolean(),
  onHome: z.boolean(),
  mine: z.boolean(),
  createdAt: z.string(),
  changedAt: z.string(),
});

export const stripSchema = z.object({
  shelf: keptShelfSchema,
  items: z.array(shelfItemSchema),
  total: z.number().int(),
});

export const recommendedSchema = z.object({
  because: z.object({ cvIssueId: z.number().int(), seriesId: z.number().int(), series: z.string(), label: z.string() }),
  items: z.array(
    shelfItemSchema.extend({
      /** What it shares with what was read, in words: `Ada Quill, Night Bell`. */
      reason: z.string(),
      shared: z.array(z.object({ facet: z.string(), label: z.string() })),
    }),
  ),
});

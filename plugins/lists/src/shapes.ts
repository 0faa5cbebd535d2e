import { z } from "zod";

const count = z.number().int();
const text = z.string().nullable();

export const listRowSchema = z.object({
  id: count,
  name: z.string(),
  public: z.boolean(),
  arcId: count.optional(),
  items: count,
  owned: count,
  /** Only where a plugin keeps the progress of reading. */
  read: count.optional(),
  mine: z.boolean(),
  createdAt: z.string(),
  /** Paths on this server: of the first issues that the library has. */
  covers: z.array(z.string()),
});
export type ListRow = z.output<typeof listRowSchema>;

/** The name of an issue in the words of its type: alone, within its series, and the line below. */
const labelSchema = z.object({ full: z.string(), short: z.string(), within: text });

export const itemSchema = z.object({
  /** The collection's own id of the issue, while it is in the library. */
  id: count.optional(),
  cvIssueId: count,
  position: count,
  series: text,
  number: text,
  title: text,
  /** Null while the library does not know the issue. */
  label: labelSchema.nullable(),
  coverDate: text,
  seriesId: count.optional(),
  owned: z.boolean(),
  read: z.boolean().optional(),
  inLibrary: z.boolean(),
  /** Of the file that is read. */
  pages: count.optional(),
  format: text.optional(),
  cover: text,
});
export type ItemRow = z.output<typeof itemSchema>;

export const unmatchedSchema = z.object({
  series: z.string(),
  number: z.string(),
  volume: z.string(),
  reason: z.string(),
});
export type UnmatchedRow = z.output<typeof unmatchedSchema>;

export const listDocumentSchema = listRowSchema.omit({ items: true }).extend({
  /** How many items there are, as `items` in the rows of all lists. */
  total: count,
  items: z.array(itemSchema),
  unmatched: z.array(unmatchedSchema),
});
export type ListDocument = z.output<typeof listDocumentSchema>;

export const importSchema = z.object({
  id: count,
  name: z.string(),
  imported: count,
  total: count,
  unmatched: z.array(unmatchedSchema),
  /** The job that is still looking up unmatched books at the provider. */
  jobId: count.optional(),
});
export type ImportOutcome = z.output<typeof importSchema>;

export const previewSchema = z.object({
  name: text,
  total: count,
  owned: count,
  listsLeft: count.meta({ description: "How many more lists the user can keep" }),
  books: z.array(
    z.object({
      series: z.string(),
      number: z.string(),
      volume: z.string(),
      year: z.string(),
      cvIssueId: count.optional(),
      seriesId: count.optional(),
      /** The file names the provider's issue. */
      hasId: z.boolean(),
      owned: z.boolean(),
      inLibrary: z.boolean(),
    }),
  ),
});
export type Preview = z.output<typeof previewSchema>;

export const wantSchema = z.object({
  /** Series that were added. */
  added: count,
  /** Issues that are wanted now. */
  picked: count,
  /** Issues that failed. */
  failed: count,
  /** Issues of the list. */
  issues: count,
  failures: z.array(z.object({ cvIssueId: count, series: text, number: text, reason: z.string() })),
  /** The job that continues the work; the counts are preliminary. */
  jobId: count.optional(),
  running: z.boolean(),
});
export type WantOutcome = z.output<typeof wantSchema>;

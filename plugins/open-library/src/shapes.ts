import { z } from "zod";

const strings = z.array(z.string());
const workId = z.string().meta({ description: "Such as OL1W" });

export const workSchema = z.object({
  workId,
  title: z.string(),
  authors: strings,
  year: z.number().int().nullable().meta({ description: "Of the first edition" }),
  languages: strings.meta({ description: "BCP 47 tags, of all editions" }),
  series: z.array(z.object({ name: z.string(), number: z.string() })),
  image: z.string().nullable().meta({ description: "A path of this server" }),
});
export type WorkRow = z.output<typeof workSchema>;

export const candidateSchema = workSchema.extend({
  score: z.number().meta({ description: "0 to 100" }),
  reasons: strings,
});
export type WorkCandidate = z.output<typeof candidateSchema>;

export const bookSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int(),
  title: z.string(),
  within: z.string().nullable(),
  authors: strings,
  year: z.number().int().nullable(),
  language: z.string().nullable(),
  isbns: strings,
  type: z.string(),
  unit: z.string().meta({ description: "What one of its type is called: book, audiobook" }),
  cover: z.string(),
  state: z.enum(["new", "matched", "review", "unknown", "dismissed"]),
  workId: workId.nullable(),
  reasons: strings.meta({ description: "Why it was matched" }),
  candidates: z.array(candidateSchema),
});
export type ReviewedBook = z.output<typeof bookSchema>;

export const reviewSchema = z.object({ books: z.array(bookSchema), total: z.number().int() });
export type Review = z.output<typeof reviewSchema>;

export const stateSchema = z.object({
  running: z.boolean(),
  message: z.string().optional(),
  error: z.string().optional(),
  review: z.number().int().optional().meta({ description: "How many books wait for a person; for managers" }),
});
export type OpenLibraryState = z.output<typeof stateSchema>;
export const testSchema = z.object({ ok: z.boolean(), message: z.string() });

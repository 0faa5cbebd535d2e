import { z } from "zod";
import { lockableIssueFields } from "../issues/issue-editing.js";
import { lockableFields } from "../series/lockable-fields.js";

const flag = z.boolean();
const text = z.string().nullable();

export const seriesRowSchema = z.object({
  id: z.number().int(),
  seriesId: z.number().int(),
  cvId: z.number().int().nullable(),
  title: z.string(),
  publisher: text,
  year: z.number().int().nullable(),
  description: z.string().optional(),
  cover: z.string(),
  monitor: z.enum(["all", "new", "none"]),
  monitor_from: z.number().int().nullable(),
  monitored: flag,
  followed: flag,
  type: z.string(),
  restricted: flag,
  libraryId: z.number().int().nullable(),
  matched: flag,
  status: z.enum(["ongoing", "ended", "unknown"]),
  total: z.number().int(),
  owned: z.number().int(),
  missing: z.number().int(),
  numberGaps: z.number().int().meta({
    description: "How many numbers are missing between the first and the last owned, of a series without a volume",
  }),
  untagged: z.number().int(),
  corrupt: z.number().int(),
  size: z.number(),
  latest: text,
  addedAt: z.string(),
});
export type SeriesRow = z.output<typeof seriesRowSchema>;

export const holdingSchema = z.object({
  name: z.string(),
  path: z.string().optional(),
  size: z.number(),
  /** The id of its format, such as `cbz`. */
  format: text,
  pages: z.number().int(),
  seconds: z.number().nullable(),
  valid: flag,
  tagged: flag,
  error: z.string().optional(),
  assigned: flag,
});

export const whySchema = z.enum(["monitored", "picked", "list", "request"]).nullable();
/** How one issue is named: alone, below its series' name, and what stands beneath. */
export const issueLabelSchema = z.object({ full: z.string(), short: z.string(), within: text });
export const issueRowSchema = z.object({
  id: z.number().int(),
  cvIssueId: z.number().int(),
  seriesId: z.number().int(),
  number: z.string(),
  kind: z.string(),
  title: text,
  label: issueLabelSchema,
  coverDate: text,
  storeDate: text,
  owned: flag,
  corrupt: flag,
  tagged: flag,
  wanted: flag,
  why: whySchema,
  pick: flag.nullable(),
  reason: text,
  status: z.enum(["owned", "corrupt", "wanted", "missing"]),
  /** The type of its library. */
  type: z.string(),
  /** The id of the format of the file that is read, such as `cbz`; null when nothing can be read. */
  format: text,
  pages: z.number().int(),
  /** How long it plays; null where it is not measured in time. */
  seconds: z.number().nullable(),
  cover: z.string(),
  files: z.array(holdingSchema),
});
export type IssueRow = z.output<typeof issueRowSchema>;

const names = z.array(z.string());
/** What one of its type is called, and several: book, books. */
const unitSchema = z.object({ one: z.string(), other: z.string() });
export const issueDocumentSchema = issueRowSchema.extend({
  seriesTitle: z.string(),
  unit: unitSchema,
  description: text,
  credits: z.array(z.object({ name: z.string(), role: z.string() })),
  characters: names,
  teams: names,
  locations: names,
  arcs: names,
  subjects: names,
  language: text,
  /** What others call it, by scheme. */
  ids: z.record(z.string(), names),
  url: text,
  locked: z.array(z.enum(lockableIssueFields)).meta({ description: "What a person wrote: it is not overwritten" }),
  /** The page that a person chose as cover, from 0. */
  coverPage: z.number().int().nullable(),
});
export type IssueDocument = z.output<typeof issueDocumentSchema>;

export const seriesDocumentSchema = seriesRowSchema.extend({
  locked: z.array(z.enum(lockableFields)).meta({ description: "What a person wrote: it is not overwritten" }),
  /** The cvIssueId of the issue whose cover a person chose. */
  coverIssue: z.number().int().nullable(),
  aliases: names,
  url: text,
  path: z.string().optional(),
  location: z.string().optional(),
  unit: unitSchema,
  issues: z.array(issueRowSchema),
  unlinkedFiles: z.array(holdingSchema),
  /** Numbers missing between those that are known, of a series without a volume; a volume lists its missing issues. */
  gaps: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
});
export type SeriesDocument = z.output<typeof seriesDocumentSchema>;

export const librarySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.string(),
  rootFolder: z.string().optional(),
  folderPattern: z.string(),
  restricted: flag,
  sortOrder: z.number().int(),
  tagPlacement: z.enum(["embed", "sidecar"]),
});

export const libraryTypeSchema = z.object({
  id: z.string(),
  label: z.string(),
  words: z.object({
    unit: z.object({ one: z.string(), other: z.string() }),
    length: z.enum(["pages", "seconds", "fraction"]),
    named: z.enum(["by-number", "by-title"]),
  }),
});

export const countsSchema = z
  .object({
    all: z.number(),
    incomplete: z.number(),
    complete: z.number(),
    followed: z.number(),
    monitored: z.number(),
    unmonitored: z.number(),
    ongoing: z.number(),
    ended: z.number(),
    problems: z.number(),
    unmatched: z.number(),
    manga: z.number(),
  })
  .catchall(z.number());

export const wantedRowSchema = z.object({
  seriesId: z.number().int(),
  series: z.string(),
  cvIssueId: z.number().int(),
  id: z.number().int(),
  number: z.string(),
  title: text,
  label: issueLabelSchema,
  coverDate: text,
  storeDate: text,
  followed: flag,
  wanted: flag,
  why: whySchema,
  pick: flag,
  reason: text,
  queueStatus: text,
  cover: z.string(),
});
export type WantedRow = z.output<typeof wantedRowSchema>;

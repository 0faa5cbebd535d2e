import { z } from "zod";

export const candidateFile = z.object({
  path: z.string(),
  name: z.string(),
  size: z.number().int(),
  number: z.string(),
  /** Why the name was read so; none where the file's tags say everything. */
  reasons: z.array(z.string()).optional(),
});
export type CandidateFile = z.infer<typeof candidateFile>;

export const candidateMatch = z.object({
  cvId: z.number().int().nullable(),
  name: z.string(),
  year: z.number().int().nullable(),
  image: z.string().nullable(),
  /** The series in the collection, where there is one. */
  seriesId: z.number().int().nullable(),
});
export type CandidateMatch = z.infer<typeof candidateMatch>;

export const confidences = ["none", "low", "medium", "high"] as const;
export type Confidence = (typeof confidences)[number];
export const statuses = ["review", "ready", "skipped", "imported"] as const;
export type CandidateStatus = (typeof statuses)[number];

/** Files in the import folder that seem to belong to one series, and the series that it may be. */
export const candidateSchema = z.object({
  id: z.number().int(),
  folder: z.string(),
  name: z.string(),
  year: z.number().int().nullable(),
  publisher: z.string().nullable(),
  files: z.array(candidateFile),
  confidence: z.enum(confidences),
  status: z.enum(statuses),
  match: candidateMatch.optional(),
  reasons: z.array(z.string()),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** A candidate before a match has been searched. */
export interface FoundGroup {
  readonly folder: string;
  /** No two groups of a folder have the same: `Moth Patrol (2018)` beside `Moth Patrol`. */
  readonly name: string;
  /** The series, where the name says more. */
  readonly title?: string | undefined;
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly files: readonly CandidateFile[];
  /** Why a user should check the names before anything is moved. */
  readonly doubts?: readonly string[];
  /** Ids in the files' metadata or in the folder's name. */
  readonly cvIds: readonly number[];
}

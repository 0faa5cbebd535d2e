import type { z } from "zod";
import type { redundantSchema, trashSchema } from "./cleanup/cleanup-routes.js";
import type { duplicatesSchema, keptCopySchema } from "./cleanup/duplicate-routes.js";
import type { folderContentsSchema } from "./counting/contents-route.js";
import type { candidateMatch, candidateSchema } from "./importing/candidate.js";
import type { importOutcomeSchema, importPlanSchema } from "./importing/import-routes.js";
import type { nameExampleSchema } from "./naming/name-examples.js";
import type { namingPreviewSchema } from "./naming/naming-routes.js";
import type {
  moveBatchSchema,
  refilePlanSchema,
  refileStepSchema,
  undoneSchema,
  undoPlanSchema,
} from "./refile/refile-routes.js";
import type { ignoredPathsSchema, scanReviewSchema } from "./scan/review-routes.js";
import type { runningStateSchema } from "./state-answers.js";

/*
 * What the HTTP routes of this plugin answer, for clients: derived from the schemas of the routes. Types only:
 * this entry has no code.
 */

export type RunningState = z.output<typeof runningStateSchema>;
export type Candidate = z.output<typeof candidateSchema>;
export type CandidateMatch = z.output<typeof candidateMatch>;
export type FolderContents = z.output<typeof folderContentsSchema>;
export type DuplicateFiles = z.output<typeof duplicatesSchema>;
export type KeptCopy = z.output<typeof keptCopySchema>;
export type ScanReviewFiles = z.output<typeof scanReviewSchema>;
export type IgnoredPaths = z.output<typeof ignoredPathsSchema>;
export type ImportOutcome = z.output<typeof importOutcomeSchema>;
export type ImportPlan = z.output<typeof importPlanSchema>;
export type NamingPreview = z.output<typeof namingPreviewSchema>;
export type NameExample = z.output<typeof nameExampleSchema>;
export type RefileStep = z.output<typeof refileStepSchema>;
export type RefilePlan = z.output<typeof refilePlanSchema>;
export type MoveBatch = z.output<typeof moveBatchSchema>;
export type UndoPlan = z.output<typeof undoPlanSchema>;
export type Undone = z.output<typeof undoneSchema>;
export type Redundant = z.output<typeof redundantSchema>;
export type Trash = z.output<typeof trashSchema>;

// What the extension points of operations take.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { HealthCheck, ResumableJob, Schedule, SupportPart, Tool } from "./contract.js";
import { problemOfPattern } from "./schedules/patterns.js";

const name = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, "must be lower-case words such as files.scan");
const words = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens, such as remove-ghosts");
const described = { title: z.string().min(1), description: z.string(), run: z.function() };
const cron = z.string().superRefine((pattern, told) => {
  const problem = problemOfPattern(pattern);
  if (problem !== undefined) told.addIssue({ code: "custom", message: problem });
});

export const jobRules: ContributionRules<ResumableJob> = {
  schema: z.object({ kind: name, resume: z.function(), onChange: z.function().optional() }),
  unique: "kind",
};

export const scheduleRules: ContributionRules<Schedule> = {
  schema: z.object({ ...described, key: name, cron, enabled: z.boolean(), resumes: z.boolean().optional() }),
  unique: "key",
};

export const toolRules: ContributionRules<Tool> = {
  schema: z.object({ ...described, id: words, touchesFiles: z.boolean(), resumes: z.boolean().optional() }),
  unique: "id",
};

export const checkRules: ContributionRules<HealthCheck> = { schema: z.object({ check: z.function() }) };

export const supportRules: ContributionRules<SupportPart> = {
  schema: z.object({ name: words, full: z.boolean(), read: z.function() }),
  unique: "name",
};

// What the extension points of metadata take.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { MetadataSource, RefreshStep } from "./contract.js";

export const sourceRules: ContributionRules<MetadataSource> = {
  schema: z.object({
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be lower-case letters, digits and hyphens"),
    label: z.string().min(1),
    libraryTypes: z.array(z.string().min(1)).min(1),
    searchVolumes: z.function(),
    findVolume: z.function(),
    findIssue: z.function(),
    searchArcs: z.function(),
    findArc: z.function(),
    listIssues: z.function().optional(),
    listVolumes: z.function().optional(),
    listReleases: z.function(),
    test: z.function(),
    countKept: z.function(),
  }),
  unique: "id",
};

export const stepRules: ContributionRules<RefreshStep> = { schema: z.object({ refresh: z.function() }) };

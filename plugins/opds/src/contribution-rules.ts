// What the extension points of the catalog take.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { CatalogShelf, RecordingSource } from "./contract.js";

const described = {
  id: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens, such as reading-lists"),
  title: z.string().min(1),
  summary: z.string(),
  permission: z
    .string()
    .regex(/^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/, "must be the key of a permission, such as library.view")
    .optional(),
};

export const shelfRules: ContributionRules<CatalogShelf> = {
  schema: z.discriminatedUnion("holds", [
    z.object({ ...described, holds: z.literal("issues"), listIssues: z.function() }),
    z.object({ ...described, holds: z.literal("lists"), listLists: z.function(), findList: z.function() }),
  ]),
  unique: "id",
};

export const recordingRules: ContributionRules<RecordingSource> = { schema: z.object({ findRecording: z.function() }) };

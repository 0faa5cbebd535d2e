// What the extension point of remote books takes.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { RemoteBookSource } from "../contract.js";

export const sourceRules: ContributionRules<RemoteBookSource> = {
  schema: z.object({
    id: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be lower-case letters, digits and hyphens, at most 64"),
    title: z.string(),
    libraryId: z.int().optional(),
    list: z.function(),
    fetch: z.function(),
    onChanged: z.function().optional(),
  }),
};

// What the extension point of requests takes.
import type { ContributionRules } from "@longbox/sdk";
import { z } from "zod";
import type { RequestSource } from "./contract.js";

export const sourceRules: ContributionRules<RequestSource> = {
  schema: z.object({
    kind: z.enum(["ebook", "audiobook"]),
    idScheme: z
      .string()
      .regex(/^[a-z0-9-]+$/, "must be a scheme of ids such as isbn")
      .optional(),
    libraryTypes: z.array(z.string().min(1)).min(1).optional(),
    search: z.function(),
    find: z.function(),
    add: z.function(),
  }),
};

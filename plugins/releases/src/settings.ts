import { z } from "zod";

export const releaseSettings = z
  .object({
    weeksBack: z.number().int().min(0).max(104).default(4).meta({
      advanced: true,
      title: "Weeks before this one",
      description: "How far back releases are fetched by themselves",
    }),
    weeksAhead: z
      .number()
      .int()
      .min(0)
      .max(52)
      .default(10)
      .meta({ advanced: true, title: "Weeks ahead", description: "How far ahead releases are fetched by themselves" }),
    keepWeeks: z
      .number()
      .int()
      .min(8)
      .max(520)
      .default(104)
      .meta({ advanced: true, title: "Weeks that are kept", description: "Older releases are forgotten" }),
    tell: z
      .boolean()
      .default(true)
      .meta({ title: "Tell users", description: "Tell users once a week what of their pull lists comes out" }),
  })
  .meta({ task: "details" });
export type ReleaseSettings = z.output<typeof releaseSettings>;

import { z } from "zod";

const count = z.number().int().nonnegative();

export const resultSchema = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string(),
  size: count.optional().meta({ description: "In bytes" }),
  score: z.number().int(),
  seeders: count.optional(),
  age: count.optional().meta({ description: "In days" }),
  pack: z.boolean(),
  accepted: z.boolean(),
  reasons: z.array(z.object({ code: z.string(), text: z.string(), against: z.boolean() })),
  issues: z.array(
    z.object({ number: z.string(), cvIssueId: z.number().int(), wanted: z.boolean(), owned: z.boolean() }),
  ),
});
export type ResultRow = z.input<typeof resultSchema>;

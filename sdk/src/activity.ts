import { z } from "zod";

/** What a source of activity answers, which a manifest names under `client.activity`. */
export const activitySchema = z.object({
  count: z.number().int().nonnegative().meta({ description: "How many things are under way, or new" }),
  items: z
    .array(
      z.object({
        id: z.number().int(),
        title: z.string(),
        message: z.string().optional().meta({ description: "What is being done, or what there is to say" }),
        href: z.string().optional().meta({ description: "Where it leads" }),
        progress: z
          .object({ done: z.number().nonnegative(), total: z.number().nonnegative() })
          .optional()
          .meta({ description: "How far it is; `total` is 0 while it is not known. Left out while it waits" }),
        secondsLeft: z.number().nonnegative().optional(),
        at: z.iso.datetime().optional().meta({ description: "When it happened" }),
        seen: z.string().optional().meta({ description: "The path that learns, by POST, that the link was followed" }),
        cancel: z.string().optional().meta({ description: "The path that cancels it, by POST" }),
      }),
    )
    .meta({ description: "The first of them" }),
});

export type Activity = z.output<typeof activitySchema>;

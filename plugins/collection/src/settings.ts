import { z } from "zod";

export const collectionSettings = z.object({
  downloadOnAdd: z
    .boolean()
    .default(false)
    .meta({ title: "Download on add", description: "Queue every missing issue of a series when it is added" }),
  onlyAskedIssues: z.boolean().default(false).meta({
    title: "Only the issues asked for",
    description: "A series that is added for some of its issues is not monitored; just those are picked",
  }),
});
export type CollectionSettings = z.output<typeof collectionSettings>;

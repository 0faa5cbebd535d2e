import { z } from "zod";

export const opdsSettings = z
  .object({
    countStreamedPages: z.boolean().default(true).meta({
      title: "Streamed pages count as read",
      description: "A reading app that only streams pages can move your position forward, but not back.",
    }),
  })
  .meta({ title: "OPDS catalogs", task: "devices" });

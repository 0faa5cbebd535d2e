import { z } from "zod";

const roles = z.string().max(1000).default("");

export const requestSettings = z
  .object({
    autoApproveRoles: roles.meta({
      title: "Roles whose requests are approved at once",
      description:
        "Names of roles that may add to the library, separated by commas; those who decide on requests are approved always",
    }),
    autoDownload: z.boolean().default(true).meta({ title: "Download what is approved at once" }),
    perWeek: z.number().int().min(0).max(1000).default(10).meta({
      title: "Requests of a user within a week",
      description: "0 for any number",
    }),
    comics: z.boolean().default(true).meta({ title: "Comics can be requested" }),
    ebooks: z.boolean().default(true).meta({ title: "E-books can be requested" }),
    audiobooks: z.boolean().default(true).meta({ title: "Audiobooks can be requested" }),
    collectedEditions: z.boolean().default(true).meta({
      title: "Collected editions can be requested",
      description: "Omnibuses, trade paperbacks and the like",
    }),
    nonWestern: z.boolean().default(true).meta({
      title: "Comics of Japanese, Korean and Chinese publishers can be requested",
    }),
    refusedPublishers: z.string().max(5000).default("").meta({
      title: "Publishers whose titles cannot be requested",
      description: "Names, separated by commas",
    }),
  })
  .meta({ task: "getting" });
export type RequestSettings = z.output<typeof requestSettings>;

import { z } from "zod";

export const comicsSettings = z
  .object({
    tagPlacement: z
      .enum(["embed", "sidecar"])
      .default("embed")
      .meta({
        labels: { embed: "Inside the comic", sidecar: "In a file beside it" },
        title: "Tags",
        description: "Where tags are written. A library can choose otherwise for itself.",
      }),
    tagFormat: z.enum(["comicinfo", "metroninfo", "both"]).default("comicinfo").meta({
      advanced: true,
      title: "Format of tags",
      description:
        "Which tags are written into archives and folders. One that is there already is kept up to date, too. Beside archives only ComicInfo is written.",
    }),
    cacheMegabytes: z.number().int().min(50).max(1_000_000).default(2000).meta({
      advanced: true,
      title: "Space for resized pages (MB)",
      description: "Pages that were not read for longest make room. Takes effect when the plugin starts.",
    }),
    pagesAhead: z.number().int().min(0).max(10).default(3).meta({
      advanced: true,
      title: "Pages prepared ahead",
      description: "How many of the next pages are resized while one is read.",
    }),
  })
  .meta({ task: "library" });

export type ComicsSettings = z.output<typeof comicsSettings>;

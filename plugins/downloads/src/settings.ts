import { z } from "zod";

const megabytes = (most: number) => z.number().int().min(0).max(most);

export const downloadSettings = z
  .object({
    concurrency: z.number().int().min(1).max(10).default(2).meta({
      advanced: true,
      title: "Downloads at once",
      description: "Searches and downloads of this server; download clients have limits of their own",
    }),
    sourcePriority: z.string().max(20_000).default("").meta({
      advanced: true,
      title: "Order of the sources",
      description: "Ids of sources, the preferred one first, separated by commas; the page of downloads sets it",
    }),
    automatic: z.boolean().default(true).meta({ title: "Search for wanted items by schedule" }),
    perDay: z
      .number()
      .int()
      .min(0)
      .max(5000)
      .default(50)
      .meta({ advanced: true, title: "Items that are searched for by schedule within a day" }),
    attempts: z
      .number()
      .int()
      .min(1)
      .max(10)
      .default(3)
      .meta({ advanced: true, title: "Releases that are tried for an item before it counts as failed" }),
    minMegabytes: megabytes(10_000).default(1).meta({ advanced: true, title: "Smallest release (MB)" }),
    maxMegabytes: megabytes(1_000_000)
      .default(2_000)
      .meta({ advanced: true, title: "Largest release of one item (MB)" }),
    maxPackMegabytes: megabytes(10_000_000).default(50_000).meta({ advanced: true, title: "Largest pack (MB)" }),
    maxAgeDays: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .meta({ advanced: true, title: "Oldest post on Usenet (days)", description: "0 for any age" }),
    minSeeders: z
      .number()
      .int()
      .min(0)
      .max(1000)
      .default(1)
      .meta({ advanced: true, title: "Fewest seeders of a torrent" }),
    refusedWords: z.string().max(5_000).default("").meta({
      title: "Words that a release's title must not have",
      description: "Separated by commas",
    }),
    preferredWords: z.string().max(5_000).default("").meta({
      title: "Words that count for a release",
      description: "Separated by commas",
    }),
    kilobytesPerSecond: z.number().int().min(0).max(10_000_000).default(0).meta({
      title: "Limit of this server's own downloads (kB/s)",
      description: "0 for no limit",
    }),
    keepFreeMegabytes: megabytes(10_000_000).default(1_000).meta({
      advanced: true,
      title: "Space that stays free (MB)",
      description: "Downloads wait while less is free on the disk of the data folder",
    }),
    stalledHours: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(6)
      .meta({ advanced: true, title: "Hours without progress before another release is tried" }),
    keepHistoryDays: z
      .number()
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .meta({ advanced: true, title: "Days that the history is kept" }),
  })
  .meta({ task: "getting" });
export type DownloadSettings = z.output<typeof downloadSettings>;

/** The entries of a setting that is a list separated by commas. */
export function listed(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

import { z } from "zod";

export const booksSettings = z
  .object({
    remoteMegabytes: z.number().int().min(100).max(1_000_000).default(5000).meta({
      title: "Space for books of other servers (MB)",
      description:
        "Books that were opened are kept here; those that were opened longest ago go first. Takes effect at the next start.",
    }),
  })
  .meta({ task: "reading" });
export type BooksSettings = z.output<typeof booksSettings>;

import { z } from "zod";

const address = z
  .string()
  .max(500)
  .refine(
    (text) => text === "" || (/^https?:\/\//.test(text) && URL.canParse(text)),
    "must be an http or https address",
  );

export const listsSettings = z
  .object({
    catalogIndexUrl: address
      .default("https://api.github.com/repos/DieselTech/CBL-ReadingLists/git/trees/main?recursive=1")
      .meta({
        advanced: true,
        title: "Index of the community catalog",
        description:
          "An address that answers the tree of a git repository as JSON, as GitHub, Gitea and GitLab do; empty for no catalog",
      }),
    catalogFilesUrl: address.default("https://raw.githubusercontent.com/DieselTech/CBL-ReadingLists/main/").meta({
      advanced: true,
      title: "Files of the community catalog",
      description: "The address below which the files of the index are",
    }),
    listsPerUser: z.number().int().min(1).max(100_000).default(2_000).meta({
      advanced: true,
      title: "Lists of each user",
      description: "How many lists one user can keep. Lists over a lowered number stay.",
    }),
  })
  .meta({ task: "reading" });
export type ListsSettings = z.output<typeof listsSettings>;

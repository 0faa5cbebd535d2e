import { isAbsolute } from "node:path";
import { listSetting } from "@longbox/sdk";
import { z } from "zod";

export const collectionSettings = z
  .object({
    downloadOnAdd: z
      .boolean()
      .default(false)
      .meta({ title: "Download on add", description: "Queue everything that a series lacks when it is added" }),
    libraryFolders: listSetting(
      z.object({
        path: z
          .string()
          .max(4096)
          .refine((path) => isAbsolute(path) && !path.includes("\0"), "must be an absolute path")
          .meta({ title: "Folder", description: "An absolute path on the server" }),
      }),
      {
        title: "Folders for libraries",
        description:
          "Libraries can be created in these folders and below them. Without any, everywhere except in folders of the operating system",
      },
    ),
    onlyAskedIssues: z.boolean().default(false).meta({
      title: "Only what was asked for",
      description: "A series that is added for some of its items is not monitored; only those items are picked",
    }),
  })
  .meta({ title: "Libraries", task: "library" });
export type CollectionSettings = z.output<typeof collectionSettings>;

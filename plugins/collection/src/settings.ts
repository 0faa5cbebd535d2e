import { isAbsolute } from "node:path";
import { listSetting } from "@longbox/sdk";
import { z } from "zod";

export const collectionSettings = z
  .object({
    downloadOnAdd: z.boolean().default(false).meta({
      title: "Download new series",
      description: "When a series is added, everything that is missing of it is downloaded",
    }),
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
          "Libraries can be created in these folders and below them. If there are none, anywhere except in folders of the operating system",
      },
    ),
    onlyAskedIssues: z.boolean().default(false).meta({
      title: "Only what was asked for",
      description: "When a series is added for some of its items, only those are wanted, and it is not monitored",
    }),
  })
  .meta({ title: "Libraries", task: "library" });
export type CollectionSettings = z.output<typeof collectionSettings>;

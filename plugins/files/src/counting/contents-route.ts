import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Formats } from "../formats/formats.js";
import { countContents } from "./folder-contents.js";

/** How long a user who types is kept waiting. */
const longestMs = 800;

export const folderContentsSchema = z.object({
  /** The folder with all links followed. */
  path: z.string(),
  files: z.number().int(),
  folders: z.number().int(),
  ofTypes: z.record(z.string(), z.number().int()),
  complete: z.boolean(),
});

export function contentsRoute(formats: Formats, collection: Pick<CollectionContract, "findShownFolder">): Route {
  return defineRoute({
    method: "GET",
    path: "/api/libraries/contents",
    access: "library.manage",
    summary: "Count what a folder of the server holds, before it becomes a library",
    description:
      "Counted by names, for at most 0.8 seconds; `complete` is false when there is more. `ofTypes` has the files that each type of library reads.",
    query: z.object({ path: z.string().min(1).max(4096) }),
    response: folderContentsSchema,
    async handle({ query, signal }) {
      const path = await collection.findShownFolder(query.path);
      return { path, ...(await countContents(path, formats, { longestMs, signal })) };
    },
  });
}

import { isAbsolute } from "node:path";
import { BadInput, defineRoute, type Route } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import { z } from "zod";
import type { SampleComics, Samples } from "./sample-comics.js";

export const samplesSchema = z.object({
  /** Where they are; missing when there are none. */
  folder: z.string().optional(),
  /** How many comics were drawn. */
  comics: z.number().int(),
});

const toAnswer = ({ folder, files }: Samples) => ({ ...(folder !== undefined && { folder }), comics: files.length });

export interface SampleRouteParts {
  readonly samples: SampleComics;
  readonly collection: Pick<CollectionContract, "findShownFolder">;
  /** Of the plugin: a user who leaves the page does not stop the drawing. */
  readonly signal: AbortSignal;
}

export function sampleRoutes({ samples, collection, signal }: SampleRouteParts): Route[] {
  const shared = { path: "/api/samples", access: "library.manage", response: samplesSchema } as const;
  return [
    defineRoute({
      ...shared,
      method: "GET",
      summary: "Whether there are sample comics, and where",
      handle: () => toAnswer(samples.current),
    }),
    defineRoute({
      ...shared,
      method: "POST",
      summary: "Draw a few free comics to try the server with",
      description:
        "In a new folder inside `folder`, by default the home folder of the server; it can then become a library. Does nothing when there are some.",
      body: z.object({ folder: z.string().min(1).max(4096).optional() }).optional(),
      async handle({ body }) {
        const parent = body?.folder === undefined ? undefined : await collection.findShownFolder(body.folder);
        return toAnswer(await samples.make(parent, signal).catch(explain));
      },
    }),
    defineRoute({
      ...shared,
      method: "DELETE",
      summary: "Delete the sample comics",
      description: "Deletes the files that were drawn, and nothing else; their library is kept.",
      handle: async () => toAnswer(await samples.remove()),
    }),
  ];
}

/** A folder that cannot be written to is for the user to change. */
function explain(thrown: unknown): never {
  const { code, path = "" } = thrown as NodeJS.ErrnoException;
  if ((code !== "EACCES" && code !== "EROFS" && code !== "EPERM") || !isAbsolute(path)) throw thrown;
  throw new BadInput("comics/folder-not-writable", `The server may not write to ${path}. Choose another folder.`, {
    folder: "cannot be written to by the server",
  });
}

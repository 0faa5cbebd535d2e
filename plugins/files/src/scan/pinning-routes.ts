import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { BadInput, defineRoute, idParameter, NotFound, type Route } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import { isInside } from "./scan-routes.js";
import type { Scanner } from "./scanner.js";

/** The route that says where the files of a series lie. */
export function pinningRoutes(scanner: Scanner, collection: CollectionContract): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/path",
      access: "library.manage",
      summary: "Pin the folder of a series; null lets it be found again",
      params: z.object({ id: idParameter }),
      body: z.object({ path: z.string().min(1).max(4096).nullable() }),
      response: z.object({ path: z.string().nullable() }),
      async handle({ params: { id }, body, viewer }) {
        if (!(await collection.findSeries(id, viewer)))
          throw new NotFound("files/series-not-found", `There is no series ${id}.`);
        if (body.path === null) {
          await collection.pinFolder(id, undefined);
          return { path: null };
        }
        const folder = resolve(body.path);
        const library = (await collection.listLibraries(viewer)).find(
          ({ rootFolder }) => isAbsolute(body.path!) && folder !== rootFolder && isInside(folder, rootFolder),
        );
        if (!library || !(await isFolderInside(folder, library.rootFolder)))
          throw new BadInput("files/no-such-folder", "There is no such folder in a library.", {
            path: "must be a folder inside a library",
          });
        await collection.pinFolder(id, folder);
        await scanner.scan(library.id, { scope: [folder], everything: true });
        return { path: folder };
      },
    }),
  ];
}

async function isFolderInside(folder: string, rootFolder: string): Promise<boolean> {
  try {
    const [real, root, found] = await Promise.all([realpath(folder), realpath(rootFolder), stat(folder)]);
    return found.isDirectory() && isInside(real, root);
  } catch {
    return false;
  }
}

import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import { backupName, BackupNotFound, type Backups } from "../../backup/index.js";
import type { Storing } from "../../storage/index.js";

/** The routes for disk usage and for freeing space. They write nothing, so that they work on a full disk. */
export function roomRoutes({ storing, backups }: { readonly storing: Storing; readonly backups: Backups }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/disk-usage",
      access: "system.jobs",
      summary: "Disk usage of the data folder, largest first",
      response: z.array(z.object({ name: z.string(), sizeBytes: z.number().int() })),
      handle: async () => [...(await storing.usage())],
    }),
    defineRoute({
      method: "POST",
      path: "/api/caches/clear",
      access: "system.jobs",
      summary: "Empty all caches",
      description: "Cached files are made again on demand. Works on a full disk.",
      response: z.object({ files: z.number().int(), freedBytes: z.number().int() }),
      handle: () => storing.tidyCaches(new Date(Date.now() + 1)),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/backups/{name}",
      access: "system.jobs",
      summary: "Delete a kept backup",
      params: z.object({ name: backupName }),
      response: z.object({ freedBytes: z.number().int() }),
      async handle({ params: { name } }) {
        const freedBytes = await backups.remove(name);
        if (freedBytes === undefined) throw new BackupNotFound();
        return { freedBytes };
      },
    }),
  ];
}

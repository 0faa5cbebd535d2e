import { defineRoute, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Backups } from "./backups.js";

const backupSchema = z
  .object({ name: z.string(), createdAt: z.iso.datetime(), sizeBytes: z.number().int() })
  .meta({ id: "Backup" });

/** Making backups, and seeing which there are. They are put back with `longbox restore`, into a folder that no server uses. */
export function backupRoutes(backups: Backups): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/backups",
      access: "system.jobs",
      summary: "The kept backups, newest first",
      response: z.array(backupSchema),
      handle: () => backups.list(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/backup",
      access: "system.jobs",
      summary: "Make a backup now",
      description:
        "Answers once it is made. The server goes on serving meanwhile. Backups beyond the number to be kept are removed, oldest first.",
      response: backupSchema,
      handle: async () => reply.created(await backups.create()),
    }),
  ];
}

import { defineRoute, LongboxError, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Backups } from "./backups.js";

const backupSchema = z
  .object({ name: z.string(), createdAt: z.iso.datetime(), sizeBytes: z.number().int() })
  .meta({ id: "Backup" });

export const backupName = z.string().regex(/^longbox-[A-Za-z0-9-]+\.tar\.gz$/, "must be the name of a backup");

export interface BackupRouteParts {
  readonly backups: Backups;
  /** Starts the server again; undefined without a supervisor. */
  readonly restart: (() => void) | undefined;
}

/** Making backups, listing and restoring them. `longbox restore` puts one into a new data folder. */
export function backupRoutes({ backups, restart }: BackupRouteParts): Route[] {
  return [
    restoreRoute(backups, restart),
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

/** Those who may install plugins may do everything anyway: a restored backup brings its accounts and roles. */
function restoreRoute(backups: Backups, restart: BackupRouteParts["restart"]): Route {
  return defineRoute({
    method: "POST",
    path: "/api/backups/{name}/restore",
    access: "plugins.manage",
    summary: "Restore a kept backup and restart the server",
    description:
      "The backup is checked first; a damaged one changes nothing. It replaces accounts, settings, plugins and their data. What it replaces is kept in the folder `replaced` of the data folder until the next backup is restored.",
    params: z.object({ name: backupName }),
    response: z.object({ createdAt: z.string(), version: z.string() }),
    async handle({ params: { name } }) {
      await backups.get(name);
      if (!restart)
        throw new LongboxError(
          "unavailable",
          "kernel/no-supervisor",
          "This server runs without a supervisor, which would start it again.",
        );
      const { createdAt, version } = await backups.prepareRestore(name);
      setImmediate(restart);
      return { createdAt, version };
    },
  });
}

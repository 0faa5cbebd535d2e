import { defineRoute, LongboxError, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { backupSchema } from "./backup-schema.js";
import type { Backups } from "./backups.js";
import { uploadRoutes, type BackupUpload } from "./uploads.js";

export const backupName = z.string().regex(/^longbox-[A-Za-z0-9-]+\.tar\.gz$/, "must be the name of a backup");

export interface BackupRouteParts {
  readonly backups: Backups;
  readonly upload: BackupUpload;
  /** Starts the server again; undefined without a supervisor. */
  readonly restart: (() => void) | undefined;
}

/** Making backups, listing and restoring them. `longbox restore` puts one into a new data folder. */
export function backupRoutes({ backups, upload, restart }: BackupRouteParts): Route[] {
  return [
    restoreRoute(backups, restart),
    checkRoute(backups),
    ...uploadRoutes(upload),
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
        "Answers once it is made and has been restored for a trial. The server goes on serving meanwhile. Backups beyond the number and the age to be kept are removed then.",
      response: backupSchema,
      handle: async () => reply.created(await backups.create()),
    }),
  ];
}

function checkRoute(backups: Backups): Route {
  return defineRoute({
    method: "POST",
    path: "/api/backups/{name}/check",
    access: "system.jobs",
    summary: "Restore a kept backup for a trial",
    description:
      "Reads every file and database of the backup, and changes nothing. A damaged one is answered with `kernel/backup-damaged`, which says what is wrong.",
    params: z.object({ name: backupName }),
    response: z.object({ createdAt: z.string(), version: z.string(), files: z.number().int() }),
    async handle({ params: { name } }) {
      const { createdAt, version, files } = await backups.check(name);
      return { createdAt, version, files: files.length };
    },
  });
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

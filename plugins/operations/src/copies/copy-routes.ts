// The routes of copies of backups.
import { defineRoute, isLongboxError, reply, settingTestResult, type PluginSettings, type Route } from "@longbox/sdk";
import { z } from "zod";
import { operationsSettings, type OperationsSettings } from "../settings.js";
import type { Copies } from "./copies.js";

const copySchema = z.object({ name: z.string(), createdAt: z.iso.datetime(), sizeBytes: z.number().int() });

export function copyRoutes(copies: Copies, settings: PluginSettings<OperationsSettings>): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/backup-copies",
      access: "system.jobs",
      summary: "The copies of backups outside of the data folder, newest first",
      description: "Empty when the settings name no place for copies.",
      response: z.array(copySchema.meta({ id: "BackupCopy" })),
      handle: () => (copies.isOn ? copies.list() : []),
    }),
    defineRoute({
      method: "POST",
      path: "/api/backup-copies/{name}/bring-back",
      access: "plugins.manage",
      summary: "Put a copy among the kept backups",
      description:
        "The copy is restored for a trial first; an encrypted one is decrypted with the passphrase of the settings.",
      params: z.object({ name: z.string().max(200) }),
      response: copySchema,
      handle: async ({ params }) => reply.created(await copies.bringBack(params.name)),
    }),
    testRoute(copies, settings),
  ];
}

function testRoute(copies: Copies, settings: PluginSettings<OperationsSettings>): Route {
  return defineRoute({
    method: "POST",
    path: "/api/backup-copies/test",
    access: "settings.manage",
    summary: "Try the place for copies, also with values that are not saved yet",
    description: "The values are those of the form, all of them; without a body, the saved ones are tried.",
    body: operationsSettings.optional(),
    response: settingTestResult,
    async handle({ body }) {
      const values = body === undefined ? settings.current : settings.unmasked(body);
      try {
        return { ok: true, message: `${await copies.try(values)} can be written to and read.` };
      } catch (fault) {
        if (!isLongboxError(fault)) throw fault;
        return { ok: false, message: fault.message };
      }
    },
  });
}

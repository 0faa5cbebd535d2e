import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Settings } from "./settings.js";

const groupsSchema = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .meta({ description: "Settings by group: `server`, or a plugin's id. Secrets that are set show as ********." });

/** `/api/settings`: everything that can be set, in one document. */
export function settingsRoutes(settings: Settings): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings",
      access: "settings.manage",
      summary: "All settings",
      response: groupsSchema,
      handle: () => settings.read(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings",
      access: "settings.manage",
      summary: "Change settings",
      description:
        "Takes any part of the document, checks all of it, then applies all or nothing, and answers the whole. A masked secret sent back stays as it was.",
      body: groupsSchema,
      response: groupsSchema,
      handle: ({ body }) => settings.update(body),
    }),
    defineRoute({
      method: "GET",
      path: "/api/settings/schema",
      access: "settings.manage",
      summary: "What can be set, as JSON Schema with labels",
      response: z.record(z.string(), z.unknown()),
      handle: () => settings.schema(),
    }),
  ];
}

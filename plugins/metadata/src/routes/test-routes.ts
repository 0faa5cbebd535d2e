import { defineRoute, type PluginSettings, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Lookups } from "../lookups.js";
import type { OwnSources } from "../own-sources.js";
import type { MetadataSettings } from "../settings.js";
import { testSchema } from "../shapes.js";

/** The form sends all of its values. */
const trialBody = z
  .looseObject({
    source: z.string().max(64).optional(),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
    apiKey: z.string().max(10_000).optional(),
  })
  .optional();

export function testRoutes(settings: PluginSettings<MetadataSettings>, lookups: Lookups, own: OwnSources): Route[] {
  const source = (body: z.output<typeof trialBody>) => {
    const { source: id, baseUrl, apiKey } = settings.current;
    const unsaved = body && (body.baseUrl !== undefined || body.apiKey !== undefined);
    const trial = unsaved
      ? own.trial({
          source: body.source ?? id,
          baseUrl: body.baseUrl ?? baseUrl,
          apiKey: settings.unmasked({ apiKey: body.apiKey ?? apiKey }).apiKey,
        })
      : undefined;
    return trial ?? lookups.source();
  };
  return [
    defineRoute({
      method: "POST",
      path: "/api/cv/test",
      access: "settings.manage",
      summary: "Test the connection to the provider, also with values that are not saved yet",
      body: trialBody,
      response: testSchema.pick({ ok: true, message: true }),
      handle: async ({ body }) => {
        const { ok, message } = await attempt(() => source(body).test());
        return { ok, message };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/metadata/test",
      access: "settings.manage",
      summary: "Test the metadata source, registering this server first where the source wants that",
      response: testSchema,
      handle: () => attempt(() => lookups.source().test()),
    }),
  ];
}

/** A test answers what is wrong; it never fails itself. */
async function attempt(
  test: () => Promise<{ ok: boolean; registered: boolean; message: string }>,
): Promise<{ ok: boolean; registered: boolean; message: string }> {
  try {
    return await test();
  } catch (fault) {
    return { ok: false, registered: false, message: fault instanceof Error ? fault.message : "The test failed." };
  }
}

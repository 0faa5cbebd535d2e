import { defineRoute, NotFound, type Contributions, type KernelPlugins, type Route } from "@longbox/sdk";
import { z } from "zod";
import { cleanMessage } from "../clean-messages.js";
import type { SourceTest } from "../contract.js";
import { restingOf, type Places } from "../deciding/places.js";
import { SourceNotFound } from "../errors.js";
import { catalogEntrySchema, sourceSchema } from "../shapes.js";

/** The keyword of packages that are sources. */
export const sourceKeyword = "longbox-source";
const body = z.object({ id: z.string().min(1).max(214) });
/** `accept` confirms what the source asks for. */
const installBody = body.extend({ accept: z.boolean().default(false) });

export interface SourceRouteParts {
  readonly places: Places;
  readonly plugins: KernelPlugins;
  readonly tests: Contributions<SourceTest>;
  readonly changed: () => void;
}

export function sourceRoutes(parts: SourceRouteParts): Route[] {
  return [listRoute(parts), catalogRoute(parts), ...installRoutes(parts), testRoute(parts)];
}

function listRoute({ places }: SourceRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/sources",
    access: "library.view",
    summary: "Sources and indexers, in their order",
    response: z.array(sourceSchema),
    handle: async ({ viewer }) =>
      Promise.all(
        places.list().map(async ({ kind, source }, priority) => {
          const resting = await restingOf(source);
          // What a server said may say more than who reads here has to know.
          const problem = viewer.may("downloads.grab") ? places.problemOf(source.id) : undefined;
          return {
            id: source.id,
            name: source.name,
            kind,
            enabled: source.enabled,
            priority,
            ...(resting && { resting: { until: resting.until, reason: cleanMessage(resting.reason) } }),
            ...(problem && { problem }),
          };
        }),
      ),
  });
}

function catalogRoute({ plugins }: SourceRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/sources/catalog",
    access: "plugins.manage",
    summary: "Sources that can be installed",
    response: z.object({ sources: z.array(catalogEntrySchema) }),
    handle: async () => ({
      sources: (await plugins.catalog(sourceKeyword)).map((entry) => ({
        id: entry.name,
        name: entry.title,
        description: entry.description,
        carries: kindsOf(entry.keywords),
        requires: entry.compatible ? "" : (entry.reason ?? "Another version of Longbox."),
        version: entry.version,
        installed: entry.installed !== undefined,
        updateAvailable: entry.updateAvailable,
      })),
    }),
  });
}

/** Packages say what they carry by further keywords. */
function kindsOf(keywords: readonly string[]): string {
  return keywords.filter((word) => word !== sourceKeyword && word !== "longbox-plugin").join(", ");
}

function installRoutes({ plugins, changed }: SourceRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/sources/install",
      access: "plugins.manage",
      summary: "Install a source, or bring it up to date; it can be searched at once",
      body: installBody,
      response: z.object({ installed: z.string(), version: z.string(), restartRequired: z.literal(false) }),
      handle: async ({ body: { id, accept }, viewer }) => {
        const entry = (await plugins.catalog(sourceKeyword)).find(
          ({ name, package: packed }) => name === id || packed === id,
        );
        if (!entry) throw new SourceNotFound(id);
        const { name, version } = await plugins.install({ name: entry.package, accept }, viewer);
        changed();
        return { installed: name, version, restartRequired: false as const };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/sources/uninstall",
      access: "plugins.manage",
      summary: "Remove a source; its settings stay",
      body,
      response: z.object({ removed: z.string(), restartRequired: z.literal(false) }),
      handle: async ({ body: { id }, viewer }) => {
        const name = await installedName(plugins, id);
        await plugins.uninstall({ name }, viewer);
        changed();
        return { removed: name, restartRequired: false as const };
      },
    }),
  ];
}

async function installedName(plugins: KernelPlugins, id: string): Promise<string> {
  const found = (await plugins.list(sourceKeyword)).find(({ name, package: packed }) => name === id || packed === id);
  if (!found) throw new SourceNotFound(id);
  return found.name;
}

function testRoute({ tests }: SourceRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/sources/{id}/test",
    access: "settings.manage",
    summary: "Try a source with values that are not saved yet",
    description: "The id is that of the source, or of its plugin. A masked secret stands for the stored one.",
    params: z.object({ id: z.string().min(1).max(200) }),
    body: z.record(z.string().max(100), z.unknown()),
    response: z.object({ ok: z.boolean(), message: z.string(), version: z.string().optional() }),
    handle: async ({ params: { id }, body: values, signal }) => {
      const test = tests.all().find((each) => each.id === id.split(":")[0]);
      if (!test) throw new NotFound("downloads/source-not-found", `The source "${id}" has no test.`, { id });
      const { ok, message, version } = await test.test(values, { signal, urgency: "person" });
      return { ok, message: cleanMessage(message), ...(version !== undefined && { version }) };
    },
  });
}

import { defineRoute, idParameter, LongboxError, reply, type Route, type User } from "@longbox/sdk";
import { z } from "zod";
import type { AuditTrail, Requester } from "./audit.js";
import { catalogRowSchema, type Catalog } from "./packages/catalog.js";
import { introductionSchema } from "./consent/introduction.js";
import { integrityText, packageName, versionText } from "./packages/package-names.js";
import { clientPartSchema } from "./client-parts.js";
import type { UseOfOwners } from "../measuring/use-of-owners.js";
import { pendingOperationSchema } from "./pending-operations.js";
import { pluginDocumentsSchema } from "./plugin-documents.js";
import { RepeatedRequests, type KeyedRequest } from "./repeated-requests.js";
import type { PluginHost } from "./plugin-host.js";
import { languageQuery, pluginTextsSchema } from "./plugin-texts.js";
import { pluginRowSchema } from "./rows.js";

const nameParameter = z.object({ name: z.string().min(1).max(214) });
const installBody = z.object({
  name: packageName,
  version: versionText.optional(),
  integrity: integrityText.optional(),
  /** What the plugin asks for is accepted. */
  accept: z.boolean().default(false),
});
const introduceBody = installBody.omit({ accept: true });
const installedSchema = pluginRowSchema.extend({ restartRequired: z.literal(false) });
const uninstallBody = z.object({ name: packageName, purge: z.boolean().default(false) });
const enabledBody = z.object({ enabled: z.boolean() });
const isolationBody = z
  .object({
    isolation: z
      .enum(["none", "process"])
      .nullable()
      .optional()
      .meta({ description: "`null` leaves it to the plugin and the setting of the server. As it is when left out." }),
    group: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
      .nullable()
      .optional()
      .meta({
        description:
          "Isolated plugins with the same group share one process: they take less memory, can reach each other's data, and end together. `null` gives it a process of its own. As it is when left out.",
      }),
  })
  .refine(({ isolation, group }) => isolation !== undefined || group !== undefined, {
    path: ["isolation"],
    message: "Say where the plugin is to run: isolation, group, or both.",
  });
const rollbackBody = z
  .object({
    to: versionText.optional(),
    data: z.enum(["keep", "snapshot"]).optional().meta({
      description:
        "`keep`: with the present data, if the version can read them. `snapshot`: with the data as the version left them; what was written since is set aside. By default the present data, or for the version before the last upgrade its own where it cannot read those.",
    }),
  })
  .optional();
/** What a plugin has used since the server started. */
export const usedSchema = z
  .object({
    /** Requests that its routes answered. */
    requests: z.number().int(),
    /** Of these, answers with a status of 500 or more. */
    failures: z.number().int(),
    /** Until the answers began, all together. */
    requestSeconds: z.number(),
    /** Queries to its tables. */
    queries: z.number().int(),
    /** While they ran, all together, without the time that they waited for a transaction to end. */
    querySeconds: z.number(),
    /**
     * What its process has in memory now, with the plugins that share it; missing where it runs in that of the server.
     */
    memoryBytes: z.number().int().optional(),
  })
  .meta({ id: "PluginUse" });
const auditRow = z.object({
  at: z.string(),
  action: z.string(),
  plugin: z.string(),
  version: z.string().optional(),
  username: z.string(),
  reason: z.string().optional(),
});

export interface PluginRouteParts {
  readonly host: PluginHost;
  readonly catalog: Catalog;
  readonly audit: AuditTrail;
  readonly use: UseOfOwners;
  /** Ends this process so that another takes its place; undefined when no supervisor would start one. */
  readonly restart: (() => void) | undefined;
}

/** Everything under `/api/plugins`, and the restart. */
export function pluginRoutes(parts: PluginRouteParts): Route[] {
  return [...readingRoutes(parts), ...changingRoutes(parts.host), cancellingRoute(parts.host), restartRoute(parts)];
}

function readingRoutes(parts: PluginRouteParts): Route[] {
  return [...listingRoutes(parts), ...useRoutes(parts), ...otherReadingRoutes(parts)];
}

function listingRoutes({ host, catalog }: PluginRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/plugins",
      access: "plugins.manage",
      summary: "Installed plugins and what they do",
      response: z.array(pluginRowSchema),
      handle: () => host.rows(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/catalog",
      access: "plugins.manage",
      summary: "Plugins that the registry offers",
      response: z.array(catalogRowSchema),
      handle: () => catalog.rows((id) => host.fleet.members.get(id)?.plugin),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/{name}",
      access: "plugins.manage",
      summary: "One plugin",
      params: nameParameter,
      response: pluginRowSchema,
      handle: ({ params }) => host.row(params.name),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/{name}/documents",
      access: "plugins.manage",
      summary: "The README and the changes of one plugin",
      params: nameParameter,
      response: pluginDocumentsSchema,
      handle: ({ params }) => host.documents(params.name),
    }),
  ];
}

function useRoutes({ host, use }: PluginRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/plugins/{name}/use",
      access: "plugins.manage",
      summary: "What one plugin has used since the server started",
      params: nameParameter,
      response: usedSchema,
      handle: ({ params }) => {
        const { name } = host.row(params.name);
        const memoryBytes = host.memoryOf(name);
        return { ...use.of(name), ...(memoryBytes !== undefined && { memoryBytes }) };
      },
    }),
  ];
}

function otherReadingRoutes({ host, audit }: PluginRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/plugins/client",
      access: "library.view",
      summary: "What plugins add to the web interface",
      response: z.array(clientPartSchema),
      handle: () => host.client(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/texts",
      access: "library.view",
      summary: "What plugins say in a language: texts of their manifests and settings, and messages of errors",
      description: "Plugins without texts in the language are left out.",
      query: languageQuery,
      response: pluginTextsSchema,
      handle: ({ query }) => host.texts(query.language),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/pending",
      access: "plugins.manage",
      summary: "Changes of plugins that have not ended",
      response: z.array(pendingOperationSchema),
      handle: () => host.pending(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/plugins/audit",
      access: "plugins.manage",
      summary: "Who did what to which plugin",
      query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(200) }),
      response: z.array(auditRow),
      handle: ({ query }) => audit.list(query.limit),
    }),
  ];
}

function changingRoutes(host: PluginHost): Route[] {
  const repeated = new RepeatedRequests();
  return [...installingRoutes(host), ...switchingRoutes(host)].map((route) => ({
    ...route,
    description: "A request that is sent again with the same `Idempotency-Key` gets the first one's outcome.",
    handle: (request: Parameters<Route["handle"]>[0]) =>
      repeated.once(keyed(route, request), async () => route.handle(request)),
  }));
}

function installingRoutes(host: PluginHost): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/plugins/install",
      access: "plugins.manage",
      summary: "Install a plugin, or bring it to another version",
      body: installBody,
      response: installedSchema,
      handle: async ({ body, viewer, header }) => ({
        ...(await host.install(body, requester(viewer.user, header))),
        restartRequired: false as const,
      }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/plugins/introduce",
      access: "plugins.manage",
      summary: "What a plugin asks for, who published it and what was checked, before it is installed",
      body: introduceBody,
      response: introductionSchema,
      handle: ({ body }) => host.introduce(body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/plugins/uninstall",
      access: "plugins.manage",
      summary: "Remove a plugin; its data stays unless purge is asked for",
      body: uninstallBody,
      response: z.object({ removed: z.boolean(), restartRequired: z.literal(false) }),
      async handle({ body, viewer, header }) {
        await host.uninstall(body, requester(viewer.user, header));
        return { removed: true, restartRequired: false as const };
      },
    }),
  ];
}

function switchingRoutes(host: PluginHost): Route[] {
  return [
    defineRoute({
      method: "PATCH",
      path: "/api/plugins/{name}",
      access: "plugins.manage",
      summary: "Choose where a plugin runs: in the server's process, or isolated, in one of its own or that of a group",
      params: nameParameter,
      body: isolationBody,
      response: pluginRowSchema,
      handle: ({ params, body, viewer, header }) =>
        host.setIsolation(params.name, body, requester(viewer.user, header)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/plugins/{name}/enabled",
      access: "plugins.manage",
      summary: "Switch a plugin on or off",
      params: nameParameter,
      body: enabledBody,
      response: pluginRowSchema,
      handle: ({ params, body, viewer, header }) =>
        host.setEnabled(params.name, body.enabled, requester(viewer.user, header)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/plugins/{name}/rollback",
      access: "plugins.manage",
      summary: "Go back to the version before the last upgrade, or to another one that is kept",
      params: nameParameter,
      body: rollbackBody,
      response: pluginRowSchema,
      handle: ({ params, body, viewer, header }) =>
        host.rollback({ name: params.name, ...body }, requester(viewer.user, header)),
    }),
  ];
}

function cancellingRoute(host: PluginHost): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/plugins/pending/{id}",
    access: "plugins.manage",
    summary: "Cancel a change of a plugin: one that waits is not made, and a start that takes long is given up",
    params: z.object({ id: idParameter }),
    response: z.object({ cancelled: z.literal(true) }),
    handle({ params }) {
      host.cancel(params.id);
      return { cancelled: true as const };
    },
  });
}

function restartRoute({ restart }: PluginRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/restart",
    access: "plugins.manage",
    summary: "Restart the server; connections wait meanwhile",
    response: z.object({ restarting: z.literal(true) }),
    handle() {
      if (!restart)
        throw new LongboxError(
          "unavailable",
          "kernel/no-supervisor",
          "This server runs without a supervisor, which would start it again.",
        );
      setImmediate(restart);
      return reply.json({ restarting: true });
    },
  });
}

function keyed({ method, path }: Route, request: Parameters<Route["handle"]>[0]): KeyedRequest {
  const { params, body, viewer, header } = request;
  const what = JSON.stringify([method, path, params, body, header("if-match")]);
  return { key: header("idempotency-key"), userId: viewer.user.id, what };
}

function requester({ id, username }: User, header: (name: string) => string | undefined): Requester {
  return { id, username, expects: header("if-match") };
}

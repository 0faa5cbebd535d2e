import { BadInput, type CatalogPlugin, type InstalledPlugin, type KernelPlugins, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { requirePermission } from "../access/identifying/acting-for.js";
import { sayProblem } from "../parsing/input-problems.js";
import type { Actor } from "./audit.js";
import { integrityText, packageName, versionText } from "./packages/package-names.js";
import type { Catalog } from "./packages/catalog.js";
import type { PluginHost } from "./plugin-host.js";
import type { PluginRow } from "./rows.js";

const installRequest = z.object({
  name: packageName,
  version: versionText.optional(),
  integrity: integrityText.optional(),
  accept: z.boolean().optional(),
});
const uninstallRequest = z.object({ name: packageName, purge: z.boolean().default(false) });

/** The contract `kernel.plugins`: what `/api/plugins` can do, for other plugins and on behalf of a viewer. */
export function pluginsContract(host: PluginHost, catalog: Catalog): KernelPlugins {
  return {
    async catalog(keyword) {
      const rows = await catalog.rows((id) => host.fleet.members.get(id)?.plugin);
      return rows.filter(({ keywords }) => keywords.includes(keyword)) satisfies CatalogPlugin[];
    },
    list: async (keyword) =>
      host
        .rows()
        .filter(({ keywords }) => keywords.includes(keyword))
        .map(installed),
    async install(request, viewer) {
      const by = actorFor(viewer);
      const asked = parsed(installRequest, request);
      // What a package asks for is accepted by a user; the work of a plugin by itself cannot accept anything.
      return installed(await host.install({ ...asked, accept: asked.accept === true && by.id >= 0 }, by));
    },
    async uninstall(request, viewer) {
      const by = actorFor(viewer);
      await host.uninstall(parsed(uninstallRequest, request), by);
    },
    areStarting: async () => host.starting,
    onChanged: (listener) => host.onChanged(listener),
  };
}

function actorFor(viewer: Viewer): Actor {
  const { id, username } = requirePermission(viewer, "plugins.manage");
  return { id, username };
}

function parsed<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const result = schema.safeParse(request, { error: sayProblem });
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => [issue.path.join(".") || "request", issue.message] as const);
  throw new BadInput("kernel/invalid-input", "The request cannot be used.", Object.fromEntries(details));
}

function installed(row: PluginRow): InstalledPlugin {
  const { name, title, description, version, keywords, enabled, state, reason, updateAvailable } = row;
  return { name, package: row.package, title, description, version, keywords, enabled, state, reason, updateAvailable };
}

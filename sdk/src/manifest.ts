import { z } from "zod";

const id = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens").max(64);
const capability = z.string().regex(/^[a-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*$/, "must be a capability id such as reader.progress").max(96);
const version = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "must be an exact version");
const range = z.string().min(1).max(64);
const packagePath = z.string().max(200).regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[A-Za-z0-9@_./-]+$/, "must be a path inside the package");
const elementName = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/, "must be a custom element's name");
const label = z.string().min(1).max(100);

export const permissionSchema = z.strictObject({
  key: z.string().regex(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/, "must look like shelves.tidy").max(64),
  label,
  description: z.string().max(500),
  tier: z.enum(["viewer", "trusted", "admin"]),
});

const navSchema = z.strictObject({ label, path: z.string().startsWith("/"), icon: z.string().max(40).optional(), order: z.number().int().default(100), permission: z.string().optional() });
const pageSchema = z.strictObject({ path: z.string().startsWith("/"), element: elementName, title: label, chrome: z.boolean().default(true), permission: z.string().optional() });
const slotSchema = z.strictObject({ slot: z.string().regex(/^[a-z][a-z0-9.-]*$/).max(64), element: elementName, order: z.number().int().default(100), permission: z.string().optional() });

/** A plugin's part of the web UI: an ES module that defines custom elements, and where the shell shows them. */
export const clientSchema = z.strictObject({
  js: packagePath,
  css: packagePath.optional(),
  nav: z.array(navSchema).max(20).default([]),
  /** Pages of their own; `path` may hold parameters: `/shelves/:shelfId`. `chrome: false` takes the whole window. */
  pages: z.array(pageSchema).max(50).default([]),
  /** Elements put into places of other pages: home, settings.panel, dock, and those that the pages of plugins offer. */
  slots: z.array(slotSchema).max(50).default([]),
});

/**
 * The manifest: what stands under `"longbox"` in a plugin's package.json. It can be read without running any code, and
 * the kernel refuses whatever a plugin does that its manifest does not declare.
 */
export const manifestSchema = z.strictObject({
  id,
  title: label,
  description: z.string().max(500),
  /** The SDK versions that the plugin was written for, a semver range. */
  sdk: range,
  /** Contracts that must be provided for the plugin to start: id to semver range. */
  requires: z.record(capability, range).default({}),
  optional: z.record(capability, range).default({}),
  /** Contracts that the plugin provides: id to exact version. */
  provides: z.record(capability, version).default({}),
  /** Extension points that the plugin opens: id to exact version. */
  opens: z.record(capability, version).default({}),
  /** Extension points that the plugin adds to: id to semver range. */
  contributes: z.record(capability, range).default({}),
  permissions: z.array(permissionSchema).max(50).default([]),
  /** Domains of `GET /api/events` that the plugin announces, and who may hear each. */
  events: z.array(z.strictObject({ domain: z.string().regex(/^[a-z][A-Za-z0-9-]*$/).max(64), access: z.string().default("library.view") })).max(50).default([]),
  /** Threads: name to the module, inside the package, that runs there. */
  workers: z.record(id, packagePath).default({}),
  client: clientSchema.optional(),
  /** A folder of the package served at `/`, with its index.html for every path that nothing else claims. Only one plugin may. */
  site: packagePath.optional(),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestInput = z.input<typeof manifestSchema>;
export type ClientManifest = z.output<typeof clientSchema>;
export type PermissionDeclaration = z.output<typeof permissionSchema>;

/** The parts of a plugin's package.json that the host reads. */
export const pluginPackageSchema = z.looseObject({
  name: z.string().min(1).max(214),
  version: version.or(z.string().regex(/^\d+\.\d+\.\d+/)),
  description: z.string().optional(),
  keywords: z.array(z.string()).default([]),
  longbox: manifestSchema,
});
export type PluginPackage = z.output<typeof pluginPackageSchema>;

import { z } from "zod";

const id = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens")
  .max(64);
const capability = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*$/, "must be a capability id such as reader.progress")
  .max(96);
const version = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "must be an exact version");
const range = z.string().min(1).max(64);
const packagePath = z
  .string()
  .max(200)
  .regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[A-Za-z0-9@_./-]+$/, "must be a path inside the package");
const elementName = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/, "must be a custom element's name");
const label = z.string().max(100).regex(/\S/, "must not be empty");

export const permissionSchema = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/, "must look like shelves.tidy")
    .max(64),
  label,
  description: z.string().max(500),
  tier: z.enum(["viewer", "trusted", "admin"]),
});

const navSchema = z.strictObject({
  label,
  path: z.string().startsWith("/"),
  icon: z.string().max(40).optional(),
  order: z.number().int().default(100),
  permission: z.string().optional(),
});
const pageSchema = z.strictObject({
  path: z.string().startsWith("/"),
  element: elementName,
  title: label,
  chrome: z.boolean().default(true),
  permission: z.string().optional(),
});
const slotSchema = z.strictObject({
  slot: z
    .string()
    .regex(/^[a-z][a-z0-9.-]*$/)
    .max(64),
  element: elementName,
  /** Its name where users arrange the parts of a page, such as the home page. Without one it always has its place. */
  title: label.optional(),
  order: z.number().int().default(100),
  permission: z.string().optional(),
});

const subject = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/)
  .max(40);
const apiPath = z.string().startsWith("/api/").max(300);

/**
 * An action on things that the web interface shows, as data: a link, an API call, or an element in a dialog. In `href`,
 * `path` and the texts of `body`, `{name}` is replaced by a field of the subject. In `body`, a text that is `{name[]}`
 * alone stands for that field of all subjects.
 */
const actionSchema = z
  .strictObject({
    id,
    /** The kinds of subjects, such as `issue`. */
    subjects: z.array(subject).min(1).max(10),
    /** Whether it applies to one subject, to a selection of several, or to both. */
    selection: z.enum(["one", "many", "any"]).default("one"),
    label,
    icon: z.string().max(40).optional(),
    order: z.number().int().default(100),
    permission: z.string().optional(),
    /** Whether it applies to owned subjects, to missing ones, or to both, by the subject's field `owned`. */
    holding: z.enum(["owned", "wanted", "both"]).default("both"),
    /**
     * Conditions on the subject's fields: exact values, one of several texts, or numbers from `min` on. Facts of badges
     * count as fields.
     */
    when: z
      .record(
        z.string(),
        z.union([
          z.boolean(),
          z.string(),
          z.number(),
          z.array(z.string()).min(1).max(20),
          z.strictObject({ min: z.number() }),
        ]),
      )
      .default({}),
    /** Shown as a button; the others are in the menu behind ⋯. */
    primary: z.boolean().default(false),
    danger: z.boolean().default(false),
    /** The question for confirmation; `{count}` is the number of subjects. */
    confirm: z.strictObject({ title: label, text: z.string().min(1).max(500), action: label }).optional(),
    href: z.string().startsWith("/").max(300).optional(),
    call: z
      .strictObject({
        method: z.enum(["POST", "PUT", "DELETE"]).default("POST"),
        path: apiPath,
        body: z.record(z.string(), z.unknown()).optional(),
        /** The message after success. An answer with a `jobId` shows the progress of that job first. */
        done: z.string().min(1).max(200).optional(),
      })
      .optional(),
    /** Shown in a dialog; gets the subjects as `subject` and closes the dialog with the event `done`. */
    element: elementName.optional(),
    /** The heading of the dialog; the label by default. */
    heading: z.string().min(1).max(200).optional(),
  })
  .refine(({ href, call, element }) => [href, call, element].filter(Boolean).length === 1, {
    message: "must have one of href, call and element",
  });

/** A source of badges: `POST path { kind, ids }` answers `{ items: [{ id, badges, facts }] }`. */
const badgeSourceSchema = z.strictObject({
  subjects: z.array(subject).min(1).max(10),
  path: apiPath,
  /** Domains of change after which badges are fetched again. */
  domains: z.array(z.string().max(64)).max(10).default([]),
  permission: z.string().optional(),
});

/**
 * What is under way, or new for the user, of which the frame of the web interface tells: `GET path` answers as
 * `activitySchema` says.
 */
const activitySourceSchema = z.strictObject({
  /** The heading, such as `Jobs`. */
  title: label,
  /** Whether it is work that is under way, or news. */
  kind: z.enum(["work", "news"]),
  path: apiPath,
  /** The page that shows all of it. */
  href: z.string().startsWith("/").max(300),
  /** Domains of change after which it is fetched again. */
  domains: z.array(z.string().max(64)).max(10).default([]),
  order: z.number().int().default(100),
  permission: z.string().optional(),
});

/** A plugin's part of the web UI: an ES module that defines custom elements, and where the shell shows them. */
export const clientSchema = z
  .strictObject({
    /** Not needed by a plugin that only declares navigation, actions, badges and activity, as data. */
    js: packagePath.optional(),
    css: packagePath.optional(),
    nav: z.array(navSchema).max(20).default([]),
    /** Pages; `path` can have parameters: `/shelves/:shelfId`. With `chrome: false` a page fills the whole window. */
    pages: z.array(pageSchema).max(50).default([]),
    /** Elements in slots of other pages: home, account, settings.panel, dock, and slots in pages of plugins. */
    slots: z.array(slotSchema).max(50).default([]),
    /** Actions on one or several things, available wherever the interface shows such things. */
    actions: z.array(actionSchema).max(50).default([]),
    badges: z.array(badgeSourceSchema).max(10).default([]),
    activity: z.array(activitySourceSchema).max(5).default([]),
  })
  .refine(
    ({ js, pages, slots, actions }) =>
      js !== undefined || (pages.length === 0 && slots.length === 0 && actions.every(({ element }) => !element)),
    { path: ["js"], message: "must name the module that defines the elements" },
  );

/** Paths of the server and of the web interface's files, which are reserved. */
const reservedPaths = new Set(["api", "healthz", "plugins", "assets"]);
const basePath = z
  .string()
  .max(100)
  .regex(
    /^\/[A-Za-z0-9_~-]+(\/([A-Za-z0-9._~-]+|\{[A-Za-z][A-Za-z0-9]*\}))*$/,
    "must look like /kosync or /kobo/{token}, and begin with a plain word",
  )
  .refine((path) => !/\/\.\.?(\/|$)/.test(path), "must not hold . or .. as a segment")
  .refine((path) => !reservedPaths.has((path.split("/")[1] ?? "").toLowerCase()), "is a path of the server itself");

const hostPattern = z
  .string()
  .max(253)
  .regex(
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    "must be a host name such as api.example.org or *.example.org",
  );
const publicRoute = z
  .string()
  .max(300)
  .regex(/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/, "must look like GET /api/shelves/feed");

/**
 * The manifest under `"longbox"` in a plugin's package.json. It can be read without running code, and the kernel
 * refuses everything that a plugin does without declaring it.
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
  /** Extension points that the plugin contributes to: id to semver range. */
  contributes: z.record(capability, range).default({}),
  permissions: z.array(permissionSchema).max(50).default([]),
  /** Domains of `GET /api/events` that the plugin announces, with the permission for each. */
  events: z
    .array(
      z.strictObject({
        domain: z
          .string()
          .regex(/^[a-z][A-Za-z0-9-]*$/)
          .max(64),
        access: z.string().default("library.view"),
      }),
    )
    .max(50)
    .default([]),
  /**
   * Runs the plugin in a process of its own, with only its folders. Packages outside of Longbox's own scope run so
   * without saying it.
   */
  isolation: z.enum(["process"]).optional(),
  /** Worker threads: name to module path inside the package. */
  workers: z.record(id, packagePath).default({}),
  client: clientSchema.optional(),
  /**
   * Paths outside of `/api` that the plugin's routes may lie in, for protocols that prescribe them: `/kosync`,
   * `/kobo/{token}`. No two plugins may claim the same one, or one inside another's.
   */
  basePaths: z.array(basePath).max(10).default([]),
  /**
   * The hosts that the plugin talks to, as an administrator sees them before the installation; `context.fetch` and
   * `context.host` refuse all others. Left out, the plugin may talk to any host, and the administrator is told so.
   */
  hosts: z.array(hostPattern).max(50).optional(),
  /**
   * The routes that need no account, as method and path. Packages of other scopes than Longbox's own must declare them.
   */
  publicRoutes: z.array(publicRoute).max(50).default([]),
  /**
   * A folder of the package served at `/`, with its index.html for every path that nothing else claims. Only one plugin
   * may.
   */
  site: packagePath.optional(),
  /** Paths of the site's own pages, which no base path may cover; `:name` stands for any segment. */
  sitePages: z.array(z.string().startsWith("/").max(200)).max(100).default([]),
  /** Slots of the site's own pages, in which plugins can show elements; `settings.*` stands for all that begin so. */
  siteSlots: z.array(z.string().max(64)).max(50).default([]),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestInput = z.input<typeof manifestSchema>;
export type ClientManifest = z.output<typeof clientSchema>;
export type PermissionDeclaration = z.output<typeof permissionSchema>;

/** The parts of a plugin's package.json that the host reads. */
export const pluginPackageSchema = z.looseObject({
  name: z.string().min(1).max(214),
  version: z.string().regex(/^\d+\.\d+\.\d+/, "must be a version such as 1.0.0"),
  description: z.string().optional(),
  keywords: z.array(z.string()).default([]),
  longbox: manifestSchema,
});
export type PluginPackage = z.output<typeof pluginPackageSchema>;

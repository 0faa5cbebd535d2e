import type { TinyPlugin } from "../support.js";

/** One mistake that an author can make, and what the installation answers. */
export interface MistakeCase {
  /** Its number in the list of the host's criteria. */
  readonly number: number;
  readonly title: string;
  readonly plugin: Omit<TinyPlugin, "id" | "package">;
  /** Files that are other than the plugin's own, or missing. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  readonly id?: string;
  /** The code of the refusal, or of the mistake in its details; of a warning where `warns`. */
  readonly code: string;
  /** What the sentence names. */
  readonly names: string | RegExp;
  readonly warns?: true;
  /** What `longbox-plugin check` says where it sees the mistake in the sources, before there is a package. */
  readonly inSources?: {
    readonly code?: string;
    readonly names?: string | RegExp;
    /** There is no source of the entry. */
    readonly without?: "entry";
  };
}

const route = (fields: string) =>
  `context.routes([defineRoute({ method: "GET", summary: "s", handle: () => ({}), ${fields} })]);`;
const zod = `import { z } from "zod";`;
const contract = `const Shared = contract("shared", "1.0.0");`;
const client = (fields: object) => ({ client: { js: "client/part.js", ...fields } });
const part = { "client/part.js": "customElements.define('x-y', class extends HTMLElement {});" };
const table = (name: string, text = "CREATE TABLE one (id integer)") =>
  `statements(${JSON.stringify(name)}, [${JSON.stringify(text)}])`;

const inActivate: readonly MistakeCase[] = [
  {
    number: 1,
    title: "adds to a point that the manifest does not declare",
    plugin: { activate: `context.contribute(extensionPoint("lamps", "1.0.0"), {});` },
    code: "kernel/undeclared-contribution",
    names: '"lamps"',
  },
  {
    number: 2,
    title: "announces an event that is not declared",
    plugin: { activate: `context.changed("lamps");` },
    code: "kernel/undeclared-domain",
    names: '"lamps"',
  },
  {
    number: 2,
    title: "announces, in a handler, an event that is not declared",
    plugin: { activate: `context.own({ release() { if (globalThis.never) context.changed("lamps"); } });` },
    code: "undeclared-event",
    names: '"index.js" announces "lamps"',
    inSources: { names: /announces "lamps"/ },
    warns: true,
  },
  {
    number: 3,
    title: "has a route with a permission that is not declared",
    plugin: { activate: route(`path: "/api/lamps", access: "lamps.light"`) },
    code: "kernel/undeclared-permission",
    names: /GET \/api\/lamps.*lamps\.light/,
  },
  {
    number: 14,
    title: "has a route outside of its base path",
    plugin: { manifest: { basePaths: ["/lamps"] }, activate: route(`path: "/candles"`) },
    code: "kernel/route-path",
    names: "GET /candles",
  },
  {
    number: 15,
    title: "has a path parameter without a schema",
    plugin: { activate: route(`path: "/api/lamps/{id}"`) },
    code: "path-parameter-without-schema",
    names: "GET /api/lamps/{id} has the parameter {id}",
  },
  {
    number: 16,
    title: "has a schema for a parameter that is not in the path",
    plugin: { head: zod, activate: route(`path: "/api/lamps", params: z.object({ id: z.string() })`) },
    code: "schema-without-path-parameter",
    names: 'GET /api/lamps has a params schema with "id"',
  },
  {
    number: 17,
    title: "writes :id instead of {id}",
    plugin: { activate: route(`path: "/api/lamps/:id"`) },
    code: "kernel/route-path",
    names: /GET \/api\/lamps\/:id.*\{name\}/,
  },
  {
    number: 26,
    title: "declares a contract and does not provide it",
    plugin: { manifest: { provides: { shared: "1.0.0" } } },
    code: "kernel/capability-not-provided",
    names: "provides shared",
  },
  {
    number: 33,
    title: "has a GET with a body",
    plugin: { head: zod, activate: route(`path: "/api/lamps", body: z.object({})`) },
    code: "get-with-body",
    names: "GET /api/lamps has a body schema",
  },
];

/** Beyond the list: what a compiler would have said. */
export const uncompiledCases: readonly MistakeCase[] = [
  {
    number: 41,
    title: "misspells who may call a route",
    plugin: { activate: route(`path: "/api/lamps", acess: "admin"`) },
    code: "kernel/plugin-mistakes",
    names: /GET \/api\/lamps has "acess"/,
    inSources: { code: "route-field-unknown" },
  },
  {
    number: 41,
    title: "gives one route that is in no list",
    plugin: {
      activate: `context.routes(defineRoute({ method: "GET", path: "/api/lamps", summary: "s", handle() {} }));`,
    },
    code: "kernel/bad-plugin-module",
    names: "context.routes takes a list",
  },
  {
    number: 41,
    title: "gives a route that was not made with defineRoute",
    plugin: { activate: `context.routes([{ method: "GET", path: "/api/lamps", summary: "s", handle() {} }]);` },
    code: "kernel/bad-plugin-module",
    names: /GET \/api\/lamps.*defineRoute/,
  },
  {
    number: 41,
    title: "has a route without a path",
    plugin: {
      activate: `context.routes([defineRoute({ method: "GET", pth: "/api/lamps", summary: "s", handle() {} })]);`,
    },
    code: "kernel/route-path",
    names: "The route GET undefined",
  },
  ...[
    ["GTE", `summary: "s", handle() {}`, "GTE /api/lamps has a method"],
    [
      "GET",
      `summary: "s", handle() {}, response: { lamps: 1 }`,
      'GET /api/lamps has "response" that is no schema of zod',
    ],
    ["GET", `handle() {}`, 'GET /api/lamps has no "summary"'],
    ["GET", `summary: "s"`, 'GET /api/lamps has no function "handle"'],
    ["GET", `summary: "s", handle() {}, acess: "admin"`, 'GET /api/lamps has "acess"'],
  ].map(([method, fields, names = ""]): MistakeCase => ({
    number: 41,
    title: `runs in a process of its own, where the route ${names}`,
    plugin: {
      manifest: { isolation: "process" },
      activate: `context.routes([defineRoute({ method: "${method}", path: "/api/lamps", ${fields} })]);`,
    },
    code: "kernel/plugin-mistakes",
    names,
  })),
  {
    number: 41,
    title: "has a route with a method that there is not",
    plugin: {
      activate: `context.routes([defineRoute({ method: "GTE", path: "/api/lamps", summary: "s", handle() {} })]);`,
    },
    code: "method-unknown",
    names: "GTE /api/lamps",
  },
  {
    number: 41,
    title: "has a route without a handler",
    plugin: {
      activate: `context.routes([defineRoute({ method: "GET", path: "/api/lamps", summary: "s", handl() {} })]);`,
    },
    code: "route-without-handler",
    names: /GET \/api\/lamps.*"handle"/,
  },
  {
    number: 41,
    title: "has a route without a summary",
    plugin: { activate: `context.routes([defineRoute({ method: "GET", path: "/api/lamps", handle() {} })]);` },
    code: "route-without-summary",
    names: /GET \/api\/lamps.*"summary"/,
  },
];

const inTheModule: readonly MistakeCase[] = [
  {
    number: 4,
    title: "imports what is not in the package",
    plugin: { head: `import "left-pad-of-nowhere";` },
    code: "kernel/trial-import-failed",
    names: /left-pad-of-nowhere.*index\.js/,
    inSources: { code: "unresolved-import" },
  },
  {
    number: 6,
    title: "starts a timer when it is imported",
    plugin: { head: `setInterval(() => {}, 1000);` },
    code: "work-at-import",
    names: "index.js at line 3, starts a timer",
  },
  {
    number: 6,
    title: "sets a global when it is imported",
    plugin: { head: `globalThis.lamps = 1;` },
    code: "work-at-import",
    names: 'the global "lamps"',
  },
  {
    number: 8,
    title: "has one migration name twice",
    plugin: { fields: `migrations: [${table("0001")}, ${table("0001", "CREATE TABLE two (id integer)")}]` },
    code: "migration-twice",
    names: '"0001"',
  },
  {
    number: 9,
    title: "has migrations out of order",
    plugin: { fields: `migrations: [${table("0002-b")}, ${table("0001-a", "CREATE TABLE two (id integer)")}]` },
    code: "migrations-out-of-order",
    names: '"0001-a" stands after "0002-b"',
  },
  {
    number: 10,
    title: "has SQL that does not parse",
    plugin: { fields: `migrations: [${table("0001-lamps", "CREATE TABEL lamp (id integer)")}]` },
    code: "kernel/migration-failed",
    names: /"0001-lamps".*CREATE TABEL lamp/,
  },
  {
    number: 11,
    title: "has a setting without default",
    plugin: { head: zod, fields: `settings: z.object({ bulbs: z.number().meta({ title: "Bulbs" }) })` },
    code: "setting-without-default",
    names: 'setting "bulbs"',
  },
  {
    number: 12,
    title: "has a setting without title",
    plugin: { head: zod, fields: `settings: z.object({ bulbs: z.number().default(1) })` },
    code: "setting-without-title",
    names: 'setting "bulbs"',
    warns: true,
  },
  {
    number: 13,
    title: "has settings that are no object",
    plugin: { head: zod, fields: `settings: z.string().default("")` },
    code: "settings-not-an-object",
    names: "settings of definePlugin",
  },
  {
    number: 18,
    title: "has no default export",
    plugin: {},
    files: { "index.js": "export const plugin = 1;" },
    code: "kernel/trial-import-failed",
    names: "default",
  },
  {
    number: 19,
    title: "has a default export that is no plugin",
    plugin: {},
    files: { "index.js": "export default { start() {} };" },
    code: "kernel/trial-import-failed",
    names: "definePlugin",
  },
  {
    number: 27,
    title: "asks for a contract that the manifest does not name",
    plugin: { head: contract, fields: `requires: { shared: Shared }` },
    code: "kernel/trial-import-failed",
    names: /"shared".*"requires"/,
  },
  {
    number: 28,
    title: "names a contract and does not ask for it",
    plugin: { manifest: { optional: { shared: "^1.0.0" } } },
    code: "contract-not-asked-for",
    names: 'longbox.optional of package.json names "shared"',
    warns: true,
  },
  {
    number: 30,
    title: "has a syntax error",
    plugin: { head: "const = 1;" },
    code: "kernel/trial-import-failed",
    names: "index.js, line 3",
    inSources: { code: "syntax-error", names: "syntax" },
  },
];

const inThePackage: readonly MistakeCase[] = [
  {
    number: 5,
    title: "has a peer range for the SDK that does not fit",
    plugin: { packageJson: { peerDependencies: { "@longbox/sdk": "^7.0.0" } } },
    code: "peer-range",
    names: 'peerDependencies["@longbox/sdk"]',
  },
  {
    number: 20,
    title: "has no manifest",
    plugin: { packageJson: { longbox: undefined } },
    code: "kernel/bad-manifest",
    names: "longbox",
  },
  {
    number: 21,
    title: "has no keyword",
    plugin: { packageJson: { keywords: [] } },
    code: "kernel/not-a-plugin",
    names: "keyword longbox-plugin",
    inSources: { names: 'keywords of package.json does not hold "longbox-plugin"' },
  },
  {
    number: 22,
    title: "misspells a key of the manifest",
    plugin: { manifest: { permisions: [] } },
    code: "kernel/bad-manifest",
    names: "permisions",
  },
  {
    number: 23,
    title: "names a client file that is missing",
    plugin: { manifest: { client: { js: "client/part.js" } } },
    code: "client-file-missing",
    names: 'longbox.client.js of package.json names "client/part.js"',
    inSources: { names: /names client\/part\.js.*longbox\.client\.js/ },
  },
  {
    number: 24,
    title: "has a client file where it is not served",
    plugin: { manifest: { client: { js: "part.js" } }, files: { "part.js": "" } },
    code: "client-file-not-served",
    names: '"part.js"',
  },
  {
    number: 25,
    title: "names a worker that is missing",
    plugin: { manifest: { workers: { light: "light.js" } } },
    code: "worker-missing",
    names: 'longbox.workers.light of package.json names "light.js"',
    inSources: { names: /names light\.js.*longbox\.workers\.light/ },
  },
  {
    number: 29,
    title: "names an entry that is missing",
    plugin: { packageJson: { exports: "./dist/index.js" } },
    code: "entry-missing",
    names: '"dist/index.js"',
    inSources: { without: "entry" },
  },
  {
    number: 31,
    title: "is CommonJS",
    plugin: { packageJson: { type: "commonjs" } },
    files: { "index.js": "module.exports = {};" },
    code: "not-a-module",
    names: '"index.js" is CommonJS',
    inSources: { names: "is CommonJS" },
  },
  {
    number: 38,
    title: "has a client that was built with another version of the kit",
    plugin: { manifest: client({}), files: { "client/part.js": "/*! longbox-kit 9.0.0 */\n" } },
    code: "kit-version",
    names: '"client/part.js" was built with version 9.0.0',
  },
  {
    number: 39,
    title: "has no licence",
    plugin: { packageJson: { license: undefined, repository: "https://example.org/lamps" } },
    code: "no-licence",
    names: "license",
    warns: true,
  },
  {
    number: 39,
    title: "has no README",
    plugin: {},
    files: { "README.md": undefined },
    code: "no-readme",
    names: "README.md",
    warns: true,
  },
  {
    number: 39,
    title: "has no repository",
    plugin: { packageJson: { license: "MIT", repository: undefined } },
    code: "no-repository",
    names: "repository",
    warns: true,
  },
  {
    number: 40,
    title: "has a file over its limit",
    plugin: { files: { "assets/film.bin": "x".repeat(200_000) } },
    code: "kernel/file-too-large",
    names: '"assets/film.bin"',
  },
];

const amongOthers: readonly MistakeCase[] = [
  {
    number: 32,
    title: "declares a permission in another's namespace",
    plugin: { manifest: { permissions: [{ key: "shell.paint", label: "l", description: "", tier: "admin" }] } },
    code: "permission-namespace",
    names: '"shell.paint"',
  },
  {
    number: 34,
    title: "has an id that is reserved",
    id: "kernel",
    plugin: {},
    code: "kernel/bad-manifest",
    names: "longbox.id",
  },
  {
    number: 34,
    title: "has another package's id",
    id: "shell",
    plugin: {},
    code: "kernel/id-taken",
    names: 'id "shell"',
  },
  {
    number: 35,
    title: "names an element without a hyphen",
    plugin: { manifest: client({ slots: [{ slot: "home", element: "lamp" }] }), files: part },
    code: "kernel/bad-manifest",
    names: "longbox.client.slots.0.element",
  },
  {
    number: 35,
    title: "names an element without the plugin's prefix",
    plugin: { manifest: client({ slots: [{ slot: "home", element: "other-lamp" }] }), files: part },
    code: "element-prefix",
    names: '"other-lamp"',
  },
  {
    number: 36,
    title: "has a page at a path of the shell",
    id: "lamps",
    plugin: { manifest: client({ pages: [{ path: "/library", element: "lamps-page", title: "L" }] }), files: part },
    code: "kernel/page-taken",
    names: /\/library.*longbox\.client\.pages/,
  },
  {
    number: 37,
    title: "uses a slot that no page has",
    id: "lamps",
    plugin: { manifest: client({ slots: [{ slot: "cellar", element: "lamps-part" }] }), files: part },
    code: "kernel/no-such-slot",
    names: /"cellar".*longbox\.client\.slots/,
  },
];

const page = (path: string) => ({ path, element: "lamps-page", title: "L" });
const lightPermission = { key: "lamps.light", label: "l", description: "", tier: "viewer" };

/** The same mistakes in other forms. */
const inOtherForms: readonly MistakeCase[] = [
  {
    number: 3,
    title: "shows an entry of the menu to a permission that it does not declare",
    plugin: { manifest: { client: { nav: [{ label: "L", path: "/lamps", permission: "lamps.lihgt" }] } } },
    code: "permission-undeclared",
    names: /longbox\.client\.nav.*"lamps\.lihgt"/,
  },
  {
    number: 4,
    title: "imports what is not there when it is activated",
    plugin: { activate: `await import("left-pad-of-nowhere");` },
    code: "kernel/import-missing",
    names: "left-pad-of-nowhere",
    inSources: { code: "unresolved-import" },
  },
  {
    number: 4,
    title: "has a client that imports a package by its name",
    plugin: { manifest: client({}), files: { "client/part.js": `import { html } from "lit";` } },
    code: "module-import",
    names: '"client/part.js" imports "lit"',
  },
  {
    number: 4,
    title: "has a client that imports a file that is missing",
    plugin: { manifest: client({}), files: { "client/part.js": `import "./other.js";` } },
    code: "module-import",
    names: '"client/part.js" imports "client/other.js"',
  },
  {
    number: 5,
    title: "asks for a contract in a range that is none",
    plugin: { manifest: { optional: { shared: "newest please" } } },
    code: "range-unreadable",
    names: 'longbox.optional of package.json asks for "shared"',
  },
  {
    number: 6,
    title: "replaces a global when it is imported",
    plugin: { head: "globalThis.fetch = async () => {};" },
    code: "work-at-import",
    names: 'replaces the global "fetch"',
  },
  {
    number: 6,
    title: "changes a built-in object when it is imported",
    plugin: { head: `Object.defineProperty(Array.prototype, "lamp", { value: 1 });` },
    code: "work-at-import",
    names: '"Array.prototype"',
  },
  {
    number: 6,
    title: "listens to the process when it is imported",
    plugin: { head: `process.on("unhandledRejection", () => {});` },
    code: "work-at-import",
    names: '"unhandledRejection"',
  },
  {
    number: 6,
    title: "starts a timer, which keeps nothing alive, when it is imported",
    plugin: { head: "setInterval(() => {}, 1000).unref();" },
    code: "work-at-import",
    names: "index.js at line 3, starts a timer",
  },
  {
    number: 15,
    title: "has a path parameter twice",
    plugin: { head: zod, activate: route(`path: "/api/lamps/{id}/{id}", params: z.object({ id: z.string() })`) },
    code: "path-parameter-twice",
    names: "{id} twice",
  },
  {
    number: 15,
    title: "has a schema that is a plain object",
    plugin: { head: zod, activate: route(`path: "/api/lamps/{id}", params: { id: z.string() }`) },
    code: "route-schema",
    names: /GET \/api\/lamps\/\{id\} has "params"/,
  },
  {
    number: 22,
    title: "misspells a field of definePlugin",
    plugin: { fields: "migratons: []" },
    code: "kernel/trial-import-failed",
    names: 'no field "migratons"',
  },
  {
    number: 30,
    title: "has a client with a syntax error",
    plugin: { manifest: client({}), files: { "client/part.js": "const a = 1;\nconst = 1;" } },
    code: "module-syntax",
    names: '"client/part.js" cannot be parsed at line 2',
  },
  {
    number: 32,
    title: "declares a permission twice",
    plugin: { manifest: { permissions: [{ ...lightPermission, tier: "admin" }, lightPermission] } },
    code: "declared-twice",
    names: 'longbox.permissions of package.json declares "lamps.light" twice',
  },
  {
    number: 36,
    title: "has a page where the server answers itself",
    plugin: { manifest: client({ pages: [page("/api/lamps")] }), files: part },
    code: "page-path",
    names: '"/api/lamps"',
  },
  {
    number: 36,
    title: "has a page at a path that no address has",
    plugin: { manifest: client({ pages: [page("/lamps/{id}")] }), files: part },
    code: "page-path",
    names: '"/lamps/{id}"',
  },
  {
    number: 36,
    title: "has two pages at one path",
    plugin: { manifest: client({ pages: [page("/lamps/:id"), page("/lamps/:name")] }), files: part },
    code: "declared-twice",
    names: "longbox.client.pages",
  },
];

const setting = (schema: string) => ({ head: zod, fields: `settings: z.object({ bulbs: ${schema} })` });

/** What a careless author writes. */
const carelessly: readonly MistakeCase[] = [
  {
    number: 3,
    title: "requires a contract that is also optional",
    plugin: { manifest: { requires: { shared: "^1.0.0" }, optional: { shared: "^1.0.0" } } },
    code: "declared-twice",
    names: /longbox\.requires with longbox\.optional.*"shared"/,
  },
  {
    number: 6,
    title: "lets a promise fail when it is imported",
    plugin: { head: `async function load() { await null; throw new Error("floating"); } void load();` },
    code: "failure-at-import",
    names: /index\.js at line 3, starts something.*floating/,
  },
  {
    number: 6,
    title: "has a timer that throws while it is imported",
    plugin: {
      head: `setTimeout(() => { throw new Error("soon"); }, 0); await new Promise((resolve) => setTimeout(resolve, 20));`,
    },
    code: "failure-at-import",
    names: /index\.js at line 3, starts something.*soon/,
  },
  {
    number: 6,
    title: "reads a file that is missing, and does not await it, when it is imported",
    plugin: {
      head: `import { readFile } from "node:fs/promises"; void readFile(new URL("./none.json", import.meta.url));`,
    },
    code: "failure-at-import",
    names: "none.json",
  },
  {
    number: 8,
    title: "has a migration without up",
    plugin: { fields: `migrations: [{ name: "0001-lamps" }]` },
    code: "migration-incomplete",
    names: '"0001-lamps" of definePlugin has no function "up"',
  },
  {
    number: 8,
    title: "has a migration without a name",
    plugin: { fields: `migrations: [{ up: async () => {} }]` },
    code: "migration-incomplete",
    names: "migration at place 1 of definePlugin has no name",
  },
  {
    number: 11,
    title: "has a setting whose schema refuses its default",
    plugin: setting(`z.number().min(5).default(1).meta({ title: "Bulbs" })`),
    code: "setting-default-refused",
    names: 'setting "bulbs"',
  },
  {
    number: 11,
    title: "has settings that refuse their defaults as a whole",
    plugin: {
      head: zod,
      fields: `settings: z.object({ bulbs: z.string().default("").meta({ title: "Bulbs" }) }).refine(({ bulbs }) => bulbs !== "", "no bulbs")`,
    },
    code: "setting-default-refused",
    names: /settings of definePlugin.*no bulbs/,
  },
  {
    number: 11,
    title: "has a secret with a default",
    plugin: setting(`z.string().default("hunter2").meta({ title: "Bulbs", secret: true })`),
    code: "secret-with-default",
    names: 'setting "bulbs"',
  },
  {
    number: 11,
    title: "has a setting that is no schema",
    plugin: setting(`"many"`),
    code: "settings-unusable",
    names: 'setting "bulbs"',
  },
  {
    number: 11,
    title: "has a setting that is checked by a promise",
    plugin: setting(`z.string().default("").meta({ title: "Bulbs" }).refine(async () => true)`),
    code: "settings-unusable",
    names: "settings of definePlugin",
  },
  {
    number: 13,
    title: "has settings of any name",
    plugin: { head: zod, fields: `settings: z.record(z.string(), z.string()).default({})` },
    code: "settings-not-an-object",
    names: "settings of definePlugin",
  },
  {
    number: 19,
    title: "exports a class",
    plugin: {},
    files: { "index.js": "export default class Lamps { activate() {} }" },
    code: "kernel/trial-import-failed",
    names: /definePlugin.*function or a class/,
  },
  {
    number: 19,
    title: "exports a promise",
    plugin: {},
    files: {
      "index.js": `import { definePlugin } from "@longbox/sdk"; export default Promise.resolve(definePlugin({ activate() {} }));`,
    },
    code: "kernel/trial-import-failed",
    names: "await it",
  },
  {
    number: 19,
    title: "has no activate",
    plugin: {},
    files: { "index.js": `import { definePlugin } from "@longbox/sdk"; export default definePlugin({});` },
    code: "kernel/trial-import-failed",
    names: "field activate of definePlugin",
  },
  {
    number: 19,
    title: "has migrations that are no list",
    plugin: { fields: "migrations: { first: async () => {} }" },
    code: "kernel/trial-import-failed",
    names: "field migrations of definePlugin must be a list",
  },
  {
    number: 27,
    title: "asks for a contract by its id",
    plugin: { manifest: { optional: { shared: "^1.0.0" } }, fields: `optional: { shared: "shared" }` },
    code: "kernel/trial-import-failed",
    names: /field optional of definePlugin names "shared"/,
  },
  {
    number: 34,
    title: "has an id by which the server names permissions",
    id: "library",
    plugin: { manifest: { permissions: [{ ...lightPermission, key: "library.burn" }] } },
    code: "reserved-name",
    names: 'longbox.id of package.json is or declares "library"',
  },
  {
    number: 34,
    title: "announces a domain of the server",
    plugin: { manifest: { events: [{ domain: "users" }] } },
    code: "reserved-name",
    names: 'longbox.events of package.json is or declares "users"',
  },
  {
    number: 34,
    title: "provides a contract of the server",
    plugin: { manifest: { provides: { "kernel.users": "1.0.0" } } },
    code: "reserved-name",
    names: '"kernel.users"',
  },
  {
    number: 36,
    title: "has a page at a path of the shell in other letters",
    plugin: { manifest: client({ pages: [page("/Library")] }), files: part },
    code: "kernel/page-taken",
    names: /\/Library.*longbox\.client\.pages/,
  },
  ...["/library/", "/./library", "//library", "/%6cibrary"].map((path): MistakeCase => ({
    number: 36,
    title: `has a page at a path of the shell, written as ${path}`,
    plugin: { manifest: client({ pages: [page(path)] }), files: part },
    code: "page-path",
    names: `"${path}"`,
  })),
  {
    number: 36,
    title: "has two pages whose paths differ by their letters only",
    plugin: { manifest: client({ pages: [page("/lamps"), page("/Lamps")] }), files: part },
    code: "declared-twice",
    names: "longbox.client.pages",
  },
  {
    number: 36,
    title: "has an entry of the menu that leads to another site",
    plugin: { manifest: { client: { nav: [{ label: "L", path: "//lamps.example" }] } } },
    code: "page-path",
    names: /longbox\.client\.nav.*"\/\/lamps\.example"/,
  },
  {
    number: 14,
    title: "has a base path inside its other one",
    plugin: { manifest: { basePaths: ["/lamps", "/Lamps/old"] } },
    code: "declared-twice",
    names: /longbox\.basePaths.*"\/Lamps\/old"/,
  },
];

/** What only a package can have, since `longbox-plugin` builds the entry itself. */
export const packedCases: readonly MistakeCase[] = [
  {
    number: 29,
    title: "names a folder as its entry",
    plugin: { packageJson: { exports: "./lib" } },
    files: { "lib/index.js": "export default 1;" },
    code: "entry-missing",
    names: /"lib", which is a folder/,
  },
  ...["index.ts", "index.json"].map((file): MistakeCase => ({
    number: 31,
    title: `has the entry ${file}`,
    plugin: { packageJson: { exports: `./${file}` } },
    files: { [file]: "{}" },
    code: "not-a-module",
    names: `"${file}"`,
  })),
];

export const mistakeCases: readonly MistakeCase[] = [
  ...inActivate,
  ...inTheModule,
  ...inThePackage,
  ...amongOthers,
  ...inOtherForms,
  ...carelessly,
];

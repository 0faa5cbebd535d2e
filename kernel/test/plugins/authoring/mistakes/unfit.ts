import type { MistakeCase } from "./case.js";
import { contract, route, zod } from "./parts.js";

const setting = (schema: string) => ({ head: zod, fields: `settings: z.object({ bulbs: ${schema} })` });
const titled = `.meta({ title: "Bulbs" })`;

/** The first of a list in a process of its own, too; each costs the time of two processes. */
const inBothTiers = (at: number) => (at === 0 ? [{}, { isolation: "process" }] : [{}]);

/** Values of a form that nothing can be made of. */
export const inUnfitForms: readonly MistakeCase[] = [
  ...[
    ["a date", `z.date().default(new Date(0))`],
    ["a date made of a text", `z.coerce.date().default(new Date(0))`],
    ["a bigint", `z.bigint().default(1n)`],
    ["a map", `z.map(z.string(), z.string()).default(new Map())`],
    ["a set inside a list", `z.array(z.object({ kinds: z.set(z.string()) })).default([])`],
    ["a value that code alone checks", `z.custom((value) => value === 1).default(1)`],
    ["a number without end", `z.any().default(Infinity)`],
  ].map(([what, schema]): MistakeCase => ({
    number: 11,
    title: `has a setting that is ${what}`,
    plugin: setting(`${schema}${titled}`),
    code: "setting-not-json",
    names: /setting "bulbs(?:\.kinds)?"/,
  })),
  {
    number: 11,
    title: "has a list of settings that listSetting did not make",
    plugin: setting(`z.array(z.object({ name: z.string() })).default([]).meta({ title: "Bulbs", list: true })`),
    code: "setting-list-by-hand",
    names: 'setting "bulbs"',
  },
  {
    number: 11,
    title: "has a list of settings without fields",
    plugin: {
      head: `import { listSetting } from "@longbox/sdk"; ${zod}`,
      fields: `settings: z.object({ bulbs: listSetting(z.string(), { title: "Bulbs" }) })`,
    },
    code: "kernel/trial-import-failed",
    names: "listSetting takes the fields of one entry",
  },
  ...[`{ task: "lighting" }`, `{ test: "/api/lamps/try" }`].map((meta): MistakeCase => ({
    number: 13,
    title: `has settings with ${meta}`,
    plugin: { head: zod, fields: `settings: z.object({}).meta(${meta})` },
    code: "settings-meta",
    names: /settings of definePlugin.*(?:lighting|\/api\/lamps\/try)/,
  })),
  ...[
    ["a version that is none", `contract("shared", "one")`, '"one"'],
    ["no version", `contract("shared")`, "undefined"],
    ["a version outside of the range", `contract("shared", "2.0.0")`, "2.0.0"],
    ["the token of an extension point", `extensionPoint("shared", "1.0.0")`, "extension point"],
  ].map(([what, token, names = ""]): MistakeCase => ({
    number: 27,
    title: `asks for a contract with ${what}`,
    plugin: { manifest: { optional: { shared: "^1.0.0" } }, fields: `optional: { shared: ${token} }` },
    code: "contract-version",
    names,
  })),
  ...[
    ["null", "context.provide(Shared, null)"],
    ["undefined", "context.provide(Shared)"],
    ["a function", "context.provide(Shared, () => 1)"],
    ["undefined", `context.provide(undefined, {})`],
    ["null", `context.contribute(extensionPoint("lamps", "1.0.0"), null)`],
    ["undefined", `context.open(undefined)`],
    ["undefined", `context.own(undefined)`],
  ].flatMap(([what = "", call], at) =>
    inBothTiers(at).map((isolation): MistakeCase => ({
      number: 26,
      title: `calls ${call}${"isolation" in isolation ? " in a process of its own" : ""}`,
      plugin: {
        head: contract,
        manifest: { provides: { shared: "1.0.0" }, contributes: { lamps: "^1.0.0" }, ...isolation },
        activate: `${call};`,
      },
      code: "kernel/bad-plugin-module",
      names: new RegExp(`context\\.\\w+ .*${what}`),
    })),
  ),
  {
    number: 8,
    title: "has raw statements for one engine only",
    plugin: { fields: `migrations: [rawMigration("0001-lamps", { sqlite: [], reason: "a test" })]` },
    code: "migration-without-engine",
    names: /"0001-lamps".*"postgres"/,
  },
  {
    number: 8,
    title: "does not await a step of its tables",
    plugin: {
      head: `import { migration } from "@longbox/sdk";`,
      fields: `migrations: [migration("0001-lamps", async ({ schema }) => { schema.dropTable("lamp").execute(); })]`,
    },
    code: "migration-not-awaited",
    names: '"0001-lamps"',
  },
  {
    number: 8,
    title: "does not execute a step of its tables",
    plugin: {
      head: `import { migration } from "@longbox/sdk";`,
      fields: `migrations: [migration("0001-lamps", async ({ schema }) => { await schema.dropTable("lamp"); })]`,
    },
    code: "migration-empty",
    names: '"0001-lamps"',
    warns: true,
  },
  {
    number: 10,
    title: "has two statements in one text",
    plugin: {
      fields: `migrations: [statements("0001-lamps", ["create table a (id integer); create table b (id integer)"])]`,
    },
    code: "migration-statements",
    names: /"0001-lamps".*create table a/,
  },
  {
    number: 19,
    title: "has a generator as its activate",
    plugin: {},
    files: {
      "index.js": `import { definePlugin } from "@longbox/sdk";\nexport default definePlugin({ async *activate() {} });`,
    },
    code: "generator",
    names: "activate of definePlugin",
  },
  {
    number: 19,
    title: "gives nothing to definePlugin",
    plugin: {},
    files: { "index.js": `import { definePlugin } from "@longbox/sdk"; export default definePlugin();` },
    code: "kernel/trial-import-failed",
    names: "definePlugin takes an object",
  },
  ...[
    [`import { execSync } from "node:child_process"; execSync("true");`, "starts a process"],
    [`import { writeFileSync } from "node:fs"; writeFileSync("/tmp/lamps", "");`, "writes a file"],
    [`import "@longbox/sdk/lamps";`, "@longbox/sdk/lamps"],
  ].map(([head = "", names]): MistakeCase => ({
    number: 6,
    title: `${names} when it is imported`,
    plugin: { head },
    code: "kernel/trial-import-failed",
    names: names!,
  })),
  ...[
    `response: z.object({ at: z.bigint() })`,
    `method: "POST", bodyFormat: "text", body: z.object({})`,
    `query: z.object({ ids: z.array(z.number()) })`,
  ].map((fields): MistakeCase => ({
    number: 41,
    title: `has a route with ${fields}`,
    plugin: { head: zod, activate: route(`path: "/api/lamps", ${fields}`) },
    code: fields.startsWith("query") ? "parameter-not-text" : "route-schema",
    names: /(?:GET|POST) \/api\/lamps/,
  })),
  {
    number: 41,
    title: "has credentials without a secret",
    plugin: { activate: route(`path: "/api/lamps", credentials: { id: "lamp", identify() {} }`) },
    code: "route-field-wrong",
    names: /GET \/api\/lamps.*without a secret/,
  },
  {
    number: 41,
    title: "listens with nothing",
    plugin: { activate: `context.onUserDeleted();` },
    code: "kernel/bad-plugin-module",
    names: "context.onUserDeleted takes a function",
  },
  ...["params", "query"].map((part): MistakeCase => ({
    number: 41,
    title: `has a ${part} schema that is no object`,
    plugin: { head: zod, activate: route(`path: "/api/lamps", ${part}: z.string()`) },
    code: "route-schema",
    names: `GET /api/lamps has "${part}" that is not an object`,
  })),
  ...[
    `path: "/api/lamps/{id}", params: z.object({ id: z.number() })`,
    `path: "/api/lamps", query: z.object({ id: z.int().optional() })`,
    `path: "/api/lamps", query: z.object({ id: z.boolean().default(false) })`,
    `path: "/api/lamps", query: z.object({ id: z.coerce.boolean() })`,
    `path: "/api/lamps", query: z.object({ id: z.date() })`,
  ].flatMap((fields, at) =>
    inBothTiers(at).map((isolation): MistakeCase => ({
      number: 41,
      title: `has a parameter that never arrives as such: ${fields}${"isolation" in isolation ? ", isolated" : ""}`,
      plugin: { manifest: isolation, head: zod, activate: route(fields) },
      code: "parameter-not-text",
      names: /GET \/api\/lamps\S* has "id" in its (?:params|query)/,
    })),
  ),
  {
    number: 41,
    title: "has a body that no JSON is",
    plugin: {
      head: zod,
      activate: route(`path: "/api/lamps", method: "POST", body: z.object({ at: z.object({ day: z.date() }) })`),
    },
    code: "route-schema",
    names: /POST \/api\/lamps.*"at\.day" that is a date/,
  },
  ...[
    [`bodyLimitBytes: "1 MB"`, "bodyLimitBytes"],
    [`bodyFormat: "xml"`, "bodyFormat"],
    [`responseType: "json"`, "responseType"],
    [`acceptsBasic: "yes"`, "acceptsBasic"],
    [`onError: {}`, "onError"],
    [`credentials: { id: "device" }`, "credentials"],
    [`description: 1`, "description"],
  ].flatMap(([fields = "", names], at) =>
    inBothTiers(at).map((isolation): MistakeCase => ({
      number: 41,
      title: `has a route with ${fields}${"isolation" in isolation ? ", isolated" : ""}`,
      plugin: { manifest: isolation, activate: route(`path: "/api/lamps", ${fields}`) },
      code: "route-field-wrong",
      names: `GET /api/lamps has "${names}"`,
    })),
  ),
  {
    number: 41,
    title: "has one route twice",
    plugin: {
      head: `${zod} const params = (name) => z.object({ [name]: z.string() });`,
      activate: `${route(`path: "/api/lamps/{id}", params: params("id")`)} ${route(`path: "/api/lamps/{name}", params: params("name")`)}`,
    },
    code: "kernel/route-twice",
    names: "GET /api/lamps/{name} twice, also as /api/lamps/{id}",
  },
  ...[
    ["/api/users", "kernel/route-taken"],
    ["/api/Users", "kernel/route-overlaps"],
    ["/api/users/", "kernel/route-overlaps"],
    ["/api/users/me", "kernel/route-overlaps"],
  ].map(([path, code = ""]): MistakeCase => ({
    number: 41,
    title: `has a route at ${path}, where the server answers`,
    plugin: { activate: route(`path: "${path}"`) },
    code,
    names: new RegExp(`GET ${path}[ ,].*"kernel"`),
  })),
  {
    number: 41,
    title: "has a public route that the manifest does not name",
    plugin: { activate: route(`path: "/api/lamps", access: "public"`) },
    code: "kernel/undeclared-public-route",
    names: /GET \/api\/lamps.*publicRoutes/,
  },
  {
    number: 41,
    title: "starts a worker that is not declared",
    plugin: { activate: `context.worker("light");` },
    code: "kernel/undeclared-worker",
    names: '"light"',
  },
  {
    number: 41,
    title: "asks a host that is not declared",
    plugin: { manifest: { hosts: ["api.example.org"] }, activate: `await context.fetch("https://example.com/");` },
    code: "kernel/undeclared-host",
    names: "example.com",
  },
];

// Mistakes in what `activate` does.
import type { MistakeCase } from "./case.js";
import { route, zod } from "./parts.js";

export const inActivate: readonly MistakeCase[] = [
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

import type { MistakeCase } from "./case.js";
import { route } from "./parts.js";

/** Beyond the list: what a compiler would have said. */
export const uncompiledCases: readonly MistakeCase[] = [
  {
    number: 41,
    title: "misspells who may call a route",
    plugin: { activate: route(`path: "/api/lamps", acess: "admin"`) },
    code: "route-field-unknown",
    names: /GET \/api\/lamps has "acess"/,
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
    ["method-unknown", "GTE", `summary: "s", handle() {}`, "GTE /api/lamps has a method"],
    [
      "route-schema",
      "GET",
      `summary: "s", handle() {}, response: { lamps: 1 }`,
      'GET /api/lamps has "response" that is not a schema of zod',
    ],
    ["route-without-summary", "GET", `handle() {}`, 'GET /api/lamps has no "summary"'],
    ["route-without-handler", "GET", `summary: "s"`, 'GET /api/lamps has no function "handle"'],
    ["route-field-unknown", "GET", `summary: "s", handle() {}, acess: "admin"`, 'GET /api/lamps has "acess"'],
  ].map(([code = "", method, fields, names = ""]): MistakeCase => ({
    number: 41,
    title: `runs in a process of its own, where the route ${names}`,
    plugin: {
      manifest: { isolation: "process" },
      activate: `context.routes([defineRoute({ method: "${method}", path: "/api/lamps", ${fields} })]);`,
    },
    code,
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

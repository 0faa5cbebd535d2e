import type { Route } from "@longbox/sdk";
import { z } from "zod";
import type { CompiledRoute } from "./compiled-route.js";
import type { Routes } from "./routes.js";
import { status } from "./statuses.js";

/** What every error looks like. */
export const errorSchema = z.looseObject({ error: z.string(), code: z.string().optional(), details: z.unknown().optional() }).meta({ id: "Error" });

export type ApiDocument = { openapi: string } & Record<string, unknown>;

/** Makes the OpenAPI document of the routes that are there now; the same again until they change. */
export function describeApi(routes: Routes, version: string): () => Promise<ApiDocument> {
  let described: Promise<ApiDocument> | undefined;
  routes.onChange(() => (described = undefined));
  return () => (described ??= describe(routes.list(), version));
}

async function describe(routes: readonly CompiledRoute[], version: string): Promise<ApiDocument> {
  const { createDocument } = await import("zod-openapi");
  const paths: Record<string, Record<string, object>> = {};
  for (const compiled of routes) {
    const { method, path } = compiled.route;
    (paths[path] ??= {})[method.toLowerCase()] = operation(compiled);
  }
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Longbox", version, description: "The HTTP interface of this server, with the routes of the plugins that are active now.", license: { name: "MIT", identifier: "MIT" } },
      servers: [{ url: "/" }],
      tags: [...new Set(routes.map(({ owner }) => owner.id))].sort().map((name) => ({ name })),
      security: [],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-Api-Key" },
          bearer: { type: "http", scheme: "bearer" },
          session: { type: "apiKey", in: "cookie", name: "longbox_session" },
          basic: { type: "http", scheme: "basic" },
        },
      },
      paths: paths as never,
    },
    // What a handler gives is sent as it is, so an answer has the shape that goes into its schema.
    { outputIdSuffix: "" },
  );
  return document as unknown as ApiDocument;
}

function operation({ route, owner, isPublic, permission }: CompiledRoute): object {
  const credentials = ["key", "bearer", "session", ...(route.acceptsBasic ? ["basic"] : [])];
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+/g, "_")}`,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [owner.id],
    security: isPublic ? [] : credentials.map((name) => ({ [name]: [] })),
    ...(permission !== undefined && { "x-permission": permission }),
    requestParams: { ...(route.params && { path: route.params }), ...(route.query && { query: route.query }) },
    ...(route.body && { requestBody: requestBody(route) }),
    responses: responses(route),
  };
}

function requestBody(route: Route): object {
  const type = route.bodyFormat === "json" ? "application/json" : route.bodyFormat === "text" ? "text/plain" : "application/octet-stream";
  return { required: !route.body!.safeParse(undefined).success, content: { [type]: { schema: route.body } } };
}

function responses(route: Route): object {
  const isJson = route.responseType === "application/json";
  const content = isJson ? { "application/json": { schema: route.response ?? z.unknown() } } : { [route.responseType]: { schema: z.string() } };
  return {
    [status.ok]: { description: "Done", content },
    ...(isJson && route.method !== "GET" && { [status.created]: { description: "Made", content } }),
    default: { description: "What went wrong", content: { "application/json": { schema: errorSchema } } },
  };
}


import type { CredentialScheme, Route } from "@longbox/sdk";
import { z } from "zod";
import type { createDocument } from "zod-openapi";
import type { CompiledRoute } from "./compiled-route.js";
import type { Routes } from "./routes.js";
import { status } from "../statuses.js";

/** The schema of all errors. */
export const errorSchema = z
  .looseObject({ error: z.string(), code: z.string().optional(), details: z.unknown().optional() })
  .meta({ id: "Error" });

export type ApiDocument = { openapi: string } & Record<string, unknown>;

/** Makes the OpenAPI document of the routes that are there now; the same again until they change. */
export function describeApi(routes: Routes, version: string): () => Promise<ApiDocument> {
  let described: Promise<ApiDocument> | undefined;
  routes.onChange(() => (described = undefined));
  return () => (described ??= describe(routes.list(), version));
}

type Create = typeof createDocument;

interface Told {
  readonly credentials: CredentialScheme | undefined;
  readonly path: string;
  readonly method: string;
  readonly operation: object;
}

async function describe(routes: readonly CompiledRoute[], version: string): Promise<ApiDocument> {
  const { createDocument: create } = await import("zod-openapi");
  const owners = [...new Set(routes.map(({ owner }) => owner.id))].sort();
  const make = (told: readonly Told[]) => document(create, told, { version, owners });
  const whole = routes.map(tell);
  return attempt(() => make(whole)) ?? make(leavingOut(routes, (told) => attempt(() => make(told)) !== undefined));
}

/**
 * What one plugin does wrong shall not cost the others their description: shapes that cannot be shown are left out, or
 * all shapes of a plugin that gives something the name that another gave before.
 */
function leavingOut(routes: readonly CompiledRoute[], fits: (told: readonly Told[]) => boolean): Told[] {
  const told: Told[] = [];
  for (const own of Map.groupBy(routes, ({ owner }) => owner.id).values()) {
    const full = own.map((route) => (fits([tell(route)]) ? tell(route) : tellWithoutShapes(route)));
    told.push(...(fits([...told, ...full]) ? full : own.map(tellWithoutShapes)));
  }
  return told;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function tell(compiled: CompiledRoute): Told {
  return {
    path: compiled.route.path.replace("...}", "}"),
    method: compiled.route.method.toLowerCase(),
    operation: operation(compiled),
    credentials: compiled.route.credentials,
  };
}

function tellWithoutShapes({ route, names, ...compiled }: CompiledRoute): Told {
  const params = names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  const description = [route.description, "Its schemas cannot be shown."].filter(Boolean).join(" ");
  return tell({
    ...compiled,
    names,
    route: { ...route, description, params, query: undefined, body: undefined, response: undefined },
  });
}

function document(
  create: Create,
  told: readonly Told[],
  { version, owners }: { version: string; owners: readonly string[] },
): ApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of told) (paths[path] ??= {})[method] = operation;
  const made = create(
    {
      openapi: "3.1.1",
      info: {
        title: "Longbox",
        version,
        description: "The HTTP API of this server, with the routes of all active plugins.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/" }],
      tags: owners.map((name) => ({ name })),
      security: [],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-Api-Key" },
          bearer: { type: "http", scheme: "bearer" },
          session: { type: "apiKey", in: "cookie", name: "longbox_session" },
          basic: { type: "http", scheme: "basic" },
          ...Object.fromEntries(
            told.flatMap(({ credentials }) => (credentials === undefined ? [] : [securityScheme(credentials)])),
          ),
        },
      },
      // Built path by path; the type of the library wants each method of each path to be known.
      paths: paths as never,
    },
    // What a handler gives is sent as it is, so an answer has the shape that goes into its schema.
    { outputIdSuffix: "" },
  );
  // The library types documents of all versions of OpenAPI; this one is 3.1.
  return made as unknown as ApiDocument;
}

function operation({ route, owner, isPublic, permission }: CompiledRoute): object {
  const own = route.credentials && [`scheme-${route.credentials.id}`];
  const credentials = own ?? ["key", "bearer", "session", ...(route.acceptsBasic ? ["basic"] : [])];
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+/g, "_")}`,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [owner.id],
    security: isPublic ? [] : credentials.map((name) => ({ [name]: [] })),
    ...(permission !== undefined && { "x-permission": permission }),
    ...(route.path.endsWith("...}") && { "x-takes-all-paths": true }),
    requestParams: { ...(route.params && { path: route.params }), ...(route.query && { query: route.query }) },
    ...(route.body && { requestBody: requestBody(route) }),
    responses: responses(route),
  };
}

function securityScheme(scheme: CredentialScheme): [string, object] {
  const name = `scheme-${scheme.id}`;
  if (scheme.basicRealm !== undefined) return [name, { type: "http", scheme: "basic", description: scheme.basicRealm }];
  const [header] = scheme.secretHeaders ?? [];
  if (header !== undefined) return [name, { type: "apiKey", in: "header", name: header }];
  const [parameter] = scheme.secretQuery ?? [];
  if (parameter !== undefined) return [name, { type: "apiKey", in: "query", name: parameter }];
  const places = (scheme.secretParameters ?? []).map((parameter) => `{${parameter}}`).join(", ");
  return [name, { type: "http", scheme: "path", description: `A secret in the path: ${places}` }];
}

function requestBody(route: Route): object {
  const type =
    route.bodyFormat === "json"
      ? "application/json"
      : route.bodyFormat === "text"
        ? "text/plain"
        : "application/octet-stream";
  return { required: !route.body!.safeParse(undefined).success, content: { [type]: { schema: route.body } } };
}

function responses(route: Route): object {
  const isJson = route.responseType === "application/json";
  const content = isJson
    ? { "application/json": { schema: route.response ?? z.unknown() } }
    : { [route.responseType]: { schema: z.string() } };
  return {
    [status.ok]: { description: "Done", content },
    ...(isJson && route.method !== "GET" && { [status.created]: { description: "Made", content } }),
    default:
      route.onError !== undefined
        ? { description: "The error, in the format of the protocol" }
        : { description: "The error", content: { "application/json": { schema: errorSchema } } },
  };
}

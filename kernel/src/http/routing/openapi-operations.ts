import type { CredentialScheme, Route } from "@longbox/sdk";
import { z } from "zod";
import { status } from "../statuses.js";
import type { CompiledRoute } from "./compiled-route.js";

/** The schema of all errors. */
const errorSchema = z
  .looseObject({ error: z.string(), code: z.string().optional(), details: z.unknown().optional() })
  .meta({ id: "Error" });

/** A route as an OpenAPI document shows it. */
export interface Told {
  readonly owner: string;
  readonly credentials: CredentialScheme | undefined;
  readonly path: string;
  readonly method: string;
  readonly operation: object;
}

export function tell(compiled: CompiledRoute): Told {
  return {
    owner: compiled.owner.id,
    path: compiled.route.path.replace("...}", "}"),
    method: compiled.route.method.toLowerCase(),
    operation: operation(compiled),
    credentials: compiled.route.credentials,
  };
}

/** For a route whose shapes cannot be shown. */
export function tellWithoutShapes({ route, names, ...compiled }: CompiledRoute): Told {
  const params = names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  const description = [route.description, "Its schemas cannot be shown."].filter(Boolean).join(" ");
  return tell({
    ...compiled,
    names,
    route: { ...route, description, params, query: undefined, body: undefined, response: undefined },
  });
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

export function securityScheme(scheme: CredentialScheme): [string, object] {
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

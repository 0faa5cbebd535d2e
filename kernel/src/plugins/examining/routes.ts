import type { Method, Route } from "@longbox/sdk";
import { z } from "zod";
import { parameterNames } from "../../http/routing/route-table.js";
import type { Mistake } from "./mistakes.js";
import { misfittingFields } from "./route-fields.js";
import { misfittingSchemas } from "./route-schemas.js";

/** What was found in the schemas of a route in the process that has them; here, it only has their JSON Schemas. */
export const foundElsewhere = new WeakMap<Route, readonly Mistake[]>();

/** The mistakes of routes that would only show when they are called. */
export function examineRoutes(routes: readonly Route[]): Mistake[] {
  return routes.flatMap(examineRoute);
}

/** The mistakes of a route that cannot be told to another process, in the same words. */
export function untellableIn(route: Route): Mistake[] {
  const where = whereIs(route);
  const unreadable = unreadableIn(route, where);
  return unreadable.length > 0 ? unreadable : [...incomplete(route, where), ...misfittingFields(route, where)];
}

/** The mistakes of a route that only show where its schemas are, and keep no plugin from running that is installed. */
export const findingsToTell = (route: Route): Mistake[] => misfittingSchemas(route, whereIs(route));

const methods: ReadonlySet<string> = new Set<Method>(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const whereIs = ({ method, path }: Route) => `The route ${method} ${path}`;

function examineRoute(route: Route): Mistake[] {
  const where = whereIs(route);
  const unreadable = unreadableIn(route, where);
  if (unreadable.length > 0) return unreadable;
  return [
    ...incomplete(route, where),
    ...misfittingFields(route, where),
    ...(foundElsewhere.get(route) ?? misfittingSchemas(route, where)),
    ...pathAndSchema(route, where),
    ...bodyOfGet(route, where),
  ];
}

/** With which nothing else of it can be looked at. */
function unreadableIn(route: Route, where: string): Mistake[] {
  if (!methods.has(route.method)) {
    const message = `${where} has a method that there is not. There are ${[...methods].join(", ")}.`;
    return [{ code: "method-unknown", message }];
  }
  return (["params", "query", "body", "response"] as const)
    .filter((field) => !isSchema(route[field]))
    .map((field): Mistake => {
      const message = `${where} has "${field}" that is not a schema of zod: write z.object({ … }).`;
      return { code: "route-schema", message };
    });
}

/** A plain object with schemas as its fields looks like one, and those of zod 3 are read in another way. */
function isSchema(value: unknown): boolean {
  return (
    value === undefined || (value as { readonly _zod?: { readonly def?: unknown } } | null)?._zod?.def !== undefined
  );
}

/** What the type of a route asks for; nothing checks types when a plugin is packed. */
function incomplete({ handle, summary, unknownFields }: Route, where: string): Mistake[] {
  // What is misspelt may be who has access, and would otherwise be the usual.
  const mistakes = unknownFields.map((field): Mistake => {
    return { code: "route-field-unknown", message: `${where} has "${field}", which is not a field of defineRoute.` };
  });
  if (typeof handle !== "function")
    mistakes.push({ code: "route-without-handler", message: `${where} has no function "handle" that answers it.` });
  if (typeof summary !== "string" || summary === "")
    mistakes.push({ code: "route-without-summary", message: `${where} has no "summary" for the API document.` });
  return mistakes;
}

function pathAndSchema(route: Route, where: string): Mistake[] {
  const inPath = parameterNames(route.path);
  const twice = inPath.filter((name, at) => inPath.indexOf(name) !== at);
  const inSchema = schemaFields(route.params);
  const missing = inPath.filter((name) => inSchema !== undefined && !inSchema.includes(name));
  const extra = (inSchema ?? []).filter((name) => !inPath.includes(name));
  return [
    ...twice.map((name): Mistake => {
      return { code: "path-parameter-twice", message: `${where} has the parameter {${name}} twice.` };
    }),
    ...missing.map((name): Mistake => {
      const message = `${where} has the parameter {${name}}, which its params schema lacks.`;
      return { code: "path-parameter-without-schema", message };
    }),
    ...extra.map((name): Mistake => {
      const message = `${where} has a params schema with "${name}", which is not in its path.`;
      return { code: "schema-without-path-parameter", message };
    }),
  ];
}

/** The fields of an object schema; none without a schema, undefined when the schema does not list them. */
function schemaFields(schema: z.ZodType | undefined): string[] | undefined {
  if (schema === undefined) return [];
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  if (shape.properties === undefined) return undefined;
  return Object.keys(shape.properties);
}

function bodyOfGet({ method, body }: Route, where: string): Mistake[] {
  if (method !== "GET" || body === undefined) return [];
  return [{ code: "get-with-body", message: `${where} has a body schema, and a GET request has no body.` }];
}

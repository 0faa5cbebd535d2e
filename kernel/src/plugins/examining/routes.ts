import type { Method, Route } from "@longbox/sdk";
import { z } from "zod";
import { parameterNames } from "../../http/routing/route-table.js";
import type { Mistake } from "./mistakes.js";

/** The mistakes of routes that would only show when they are called. */
export function examineRoutes(routes: readonly Route[]): Mistake[] {
  return routes.flatMap(examineRoute);
}

const methods: ReadonlySet<string> = new Set<Method>(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** What the type of a route asks for; nothing checks types when a plugin is packed. */
function incomplete({ handle, summary, unknownFields }: Route, where: string): Mistake[] {
  // What is misspelt may be who has access, and would otherwise be the usual.
  const mistakes = unknownFields.map((field): Mistake => {
    return { code: "route-field-unknown", message: `${where} has "${field}", which is no field of defineRoute.` };
  });
  if (typeof handle !== "function")
    mistakes.push({ code: "route-without-handler", message: `${where} has no function "handle" that answers it.` });
  if (typeof summary !== "string" || summary === "")
    mistakes.push({ code: "route-without-summary", message: `${where} has no "summary" for the API document.` });
  return mistakes;
}

/** The mistakes of a route that cannot be told to another process, in the same words. */
export function untellableIn(route: Route): Mistake[] {
  const where = whereIs(route);
  return [...unknownMethod(route), ...withoutSchema(route), ...incomplete(route, where)];
}

const whereIs = ({ method, path }: Route) => `The route ${method} ${path}`;

function unknownMethod(route: Route): Mistake[] {
  if (methods.has(route.method)) return [];
  const message = `${whereIs(route)} has a method that there is not. There are ${[...methods].join(", ")}.`;
  return [{ code: "method-unknown", message }];
}

function withoutSchema(route: Route): Mistake[] {
  return schemaFieldsOfRoute
    .filter((field) => !isSchema(route[field]))
    .map((field): Mistake => {
      const message = `${whereIs(route)} has "${field}" that is no schema of zod: write z.object({ … }).`;
      return { code: "route-schema", message };
    });
}

function examineRoute(route: Route): Mistake[] {
  const where = whereIs(route);
  const unreadable = [...unknownMethod(route), ...withoutSchema(route)];
  if (unreadable.length > 0) return unreadable.slice(0, methods.has(route.method) ? undefined : 1);
  const inPath = parameterNames(route.path);
  const twice = inPath.filter((name, at) => inPath.indexOf(name) !== at);
  const inSchema = schemaFields(route.params);
  const missing = inPath.filter((name) => inSchema !== undefined && !inSchema.includes(name));
  const extra = (inSchema ?? []).filter((name) => !inPath.includes(name));
  return [
    ...incomplete(route, where),
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
    ...(route.method === "GET" && route.body !== undefined
      ? [{ code: "get-with-body", message: `${where} has a body schema, and a GET request has no body.` } as const]
      : []),
  ];
}

const schemaFieldsOfRoute = ["params", "query", "body", "response"] as const;

/** A plain object with schemas as its fields looks like one. */
function isSchema(value: unknown): boolean {
  return value === undefined || typeof (value as z.ZodType | null)?.safeParse === "function";
}

/** The fields of an object schema; none without a schema, undefined when the schema does not list them. */
function schemaFields(schema: z.ZodType | undefined): string[] | undefined {
  if (schema === undefined) return [];
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  if (shape.properties === undefined) return undefined;
  return Object.keys(shape.properties);
}

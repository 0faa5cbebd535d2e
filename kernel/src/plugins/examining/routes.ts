import type { Route } from "@longbox/sdk";
import { z } from "zod";
import { parameterNames } from "../../http/routing/route-table.js";
import type { Mistake } from "./mistakes.js";

/** The mistakes of routes that would only show when they are called. */
export function examineRoutes(routes: readonly Route[]): Mistake[] {
  return routes.flatMap(examineRoute);
}

function examineRoute(route: Route): Mistake[] {
  const where = `The route ${route.method} ${route.path}`;
  const inPath = parameterNames(route.path);
  const inSchema = schemaFields(route.params);
  const missing = inPath.filter((name) => inSchema !== undefined && !inSchema.includes(name));
  const extra = (inSchema ?? []).filter((name) => !inPath.includes(name));
  return [
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

/** The fields of an object schema; none without a schema, undefined when the schema does not list them. */
function schemaFields(schema: z.ZodType | undefined): string[] | undefined {
  if (schema === undefined) return [];
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  if (shape.properties === undefined) return undefined;
  return Object.keys(shape.properties);
}

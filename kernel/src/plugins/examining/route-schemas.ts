import type { Route } from "@longbox/sdk";
import type { z } from "zod";
import type { Mistake } from "./mistakes.js";
import { findUnreachable, inputTypes, outsideWords } from "./schema-parts.js";

/** What no request could ever fit, since nothing arrives in the form that it asks for. */
export function misfittingSchemas(route: Route, where: string): Mistake[] {
  return [
    ...(["params", "query"] as const).flatMap((part) => misfittingParameters(route[part], where, part)),
    ...misfittingBody(route, where),
    ...misfittingAnswer(route, where),
  ];
}

/** What texts become only by a schema that says so. */
const neverText: Readonly<Record<string, string>> = {
  ...outsideWords,
  number: "a number",
  int: "a number",
  boolean: "a boolean",
  object: "an object",
  record: "an object",
  null: "null",
};

function misfittingParameters(schema: z.ZodType | undefined, where: string, part: "params" | "query"): Mistake[] {
  if (schema === undefined) return [];
  if (!inputTypes(schema).some(takesFields)) {
    const message = `${where} has "${part}" that is no object: write z.object({ … }) with a field for each parameter.`;
    return [{ code: "route-schema", message }];
  }
  const { shape = {} } = schema._zod.def as { readonly shape?: Readonly<Record<string, z.ZodType>> };
  return Object.entries(shape).flatMap(([name, field]) =>
    misfittingParameter(field, `${where} has "${name}" in its ${part}`),
  );
}

function misfittingParameter(schema: z.ZodType, named: string): Mistake[] {
  if (coercesBoolean(schema)) {
    const message = `${named} as z.coerce.boolean(), which makes true of the text "false": use flagParameter.`;
    return [{ code: "parameter-not-text", message }];
  }
  const kinds = inputTypes(schema);
  const [first = ""] = kinds;
  if (kinds.length === 0 || kinds.some((kind) => !(kind in neverText))) return [];
  const message = `${named} as ${neverText[first]}, and it arrives as text: use idParameter, flagParameter or z.coerce.number().`;
  return [{ code: "parameter-not-text", message }];
}

function coercesBoolean(schema: z.ZodType): boolean {
  const { type, coerce, innerType } = schema._zod.def as {
    readonly type: string;
    readonly coerce?: boolean;
    readonly innerType?: z.ZodType;
  };
  return (type === "boolean" && coerce === true) || (innerType !== undefined && coercesBoolean(innerType));
}

/** Kinds that say nothing of what they take, or take several fields. */
const takesFields = (kind: string) =>
  ["object", "record", "any", "unknown", "intersection", "transform", "custom", "undefined"].includes(kind);

function misfittingBody({ body, bodyFormat, method }: Route, where: string): Mistake[] {
  if (body === undefined || method === "GET") return [];
  if (bodyFormat !== "json") return [];
  const found = findUnreachable(body);
  if (found === undefined) return [];
  const at = found.place === "" ? "" : ` at "${found.place}"`;
  const message = `${where} has a body schema${at} that is ${outsideWords[found.type]}, which no JSON holds: take a text or a number and transform it.`;
  return [{ code: "route-schema", message }];
}

function misfittingAnswer({ responseType }: Route, where: string): Mistake[] {
  if (typeof responseType !== "string" || /^[\w.+-]+\/[\w.+*-]+(?:\s*;.*)?$/.test(responseType)) return [];
  const message = `${where} has "responseType" that is "${responseType}": write a media type such as application/json.`;
  return [{ code: "route-field-wrong", message }];
}

import type { Route } from "@longbox/sdk";
import type { z } from "zod";
import { findAwaiting } from "./awaiting-schemas.js";
import type { Mistake } from "./mistakes.js";
import { elementTypes, findPart, findUnreachable, inputTypes, outsideWords } from "./schema-parts.js";

/** What no request could ever fit, since nothing arrives in the form that it asks for. */
export function misfittingSchemas(route: Route, where: string): Mistake[] {
  return [
    ...(["params", "query", "body", "response"] as const).flatMap((part) => awaitingSchema(route[part], where, part)),
    ...(["params", "query"] as const).flatMap((part) => misfittingParameters(route[part], where, part)),
    ...misfittingBody(route, where),
    ...misfittingAnswer(route, where),
    ...unusedScheme(route, where),
  ];
}

/** What needs an answer of something else belongs into the handler. */
function awaitingSchema(schema: z.ZodType | undefined, where: string, part: string): Mistake[] {
  const place = schema && findAwaiting(schema);
  if (place === undefined) return [];
  const at = place === "" ? "" : ` at "${place}"`;
  const message = `${where} has "${part}"${at} with code that returns a promise, and values are checked at once: do it in "handle".`;
  return [{ code: "route-schema", message }];
}

/** Without a secret, nothing says whose request it is, and every one is refused. */
function unusedScheme({ credentials }: Route, where: string): Mistake[] {
  if (credentials === undefined) return [];
  const { secretHeaders = [], secretParameters = [], secretQuery = [], basicRealm } = credentials;
  if (secretHeaders.length + secretParameters.length + secretQuery.length > 0 || basicRealm !== undefined) return [];
  const message = `${where} has "credentials" without a secret: name one of secretHeaders, secretParameters, secretQuery and basicRealm.`;
  return [{ code: "route-field-wrong", message }];
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
    const message = `${where} has "${part}" that is not an object: write z.object({ … }) with a field for each parameter.`;
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
  // One that is given several times arrives as a list of texts.
  const kinds = inputTypes(schema).flatMap((kind) => (kind === "array" ? elementTypes(schema) : [kind]));
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

/** Kinds of schema that take several fields, or may take anything. */
const takesFields = (kind: string) =>
  ["object", "record", "any", "unknown", "intersection", "transform", "custom", "undefined"].includes(kind);

function misfittingBody({ body, bodyFormat, method }: Route, where: string): Mistake[] {
  if (body === undefined || method === "GET") return [];
  if (bodyFormat !== "json")
    return inputTypes(body).every((kind) => kind in neverText && kind !== "custom")
      ? [notAsRead(where, bodyFormat)]
      : [];
  const found = findUnreachable(body);
  if (found === undefined) return [];
  const at = found.place === "" ? "" : ` at "${found.place}"`;
  const message = `${where} has a body schema${at} that is ${outsideWords[found.type]}, which no JSON holds: take a text or a number and transform it.`;
  return [{ code: "route-schema", message }];
}

const notAsRead = (where: string, format: string): Mistake => ({
  code: "route-schema",
  message: `${where} reads its body as ${format}, which its body schema never takes: write ${format === "text" ? "z.string()" : "z.instanceof(Uint8Array)"}.`,
});

/** What JSON cannot hold of an answer: a date becomes a text by itself. */
const notInAnswers = new Set(["bigint", "map", "set", "symbol", "function", "promise"]);

function misfittingAnswer({ response, responseType }: Route, where: string): Mistake[] {
  const found = response && findPart(response, ({ type = "" }) => notInAnswers.has(type));
  if (found !== undefined) {
    const at = found.place === "" ? "" : ` at "${found.place}"`;
    const message = `${where} has a response schema${at} that is ${outsideWords[found.type]}, which no JSON holds: answer with a text, a number, a list or an object.`;
    return [{ code: "route-schema", message }];
  }

  if (typeof responseType !== "string" || /^[\w.+-]+\/[\w.+*-]+(?:\s*;.*)?$/.test(responseType)) return [];
  const message = `${where} has "responseType" that is "${responseType}": write a media type such as application/json.`;
  return [{ code: "route-field-wrong", message }];
}

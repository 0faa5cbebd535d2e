import type { Route } from "@longbox/sdk";
import type { Mistake } from "./mistakes.js";

/** The fields of a route that are no schemas, and have their usual value where they are left out. */
type PlainField =
  | ("description" | "bodyFormat" | "bodyLimitBytes" | "responseType" | "acceptsBasic" | "ignoresHideMature")
  | ("challenge" | "onError" | "credentials");

interface Rule {
  fits(value: unknown): boolean;
  readonly write: string;
}

const isSwitch = (value: unknown) => typeof value === "boolean";
const isFunction = (value: unknown) => value === undefined || typeof value === "function";

const rules: Readonly<Record<PlainField, Rule>> = {
  description: { fits: (value) => value === undefined || typeof value === "string", write: "a text" },
  bodyFormat: {
    fits: (value) => ["json", "text", "bytes"].includes(value as string),
    write: `"json", "text" or "bytes"`,
  },
  bodyLimitBytes: {
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    write: "a whole number of bytes",
  },
  responseType: { fits: (value) => typeof value === "string", write: "a media type such as application/json" },
  acceptsBasic: { fits: isSwitch, write: "true or false" },
  ignoresHideMature: { fits: isSwitch, write: "true or false" },
  challenge: { fits: isFunction, write: "a function" },
  onError: { fits: isFunction, write: "a function" },
  credentials: { fits: isScheme, write: `a CredentialScheme with "id" and a function "identify"` },
};

/** Fields whose values the server could not use; nothing checks types when a plugin is packed. */
export function misfittingFields(route: Route, where: string): Mistake[] {
  return (Object.entries(rules) as [PlainField, Rule][])
    .filter(([field, { fits }]) => !fits(route[field]))
    .map(([field, { write }]): Mistake => {
      const message = `${where} has "${field}" that is ${shown(route[field])}: write ${write}.`;
      return { code: "route-field-wrong", message };
    });
}

function isScheme(value: unknown): boolean {
  if (value === undefined) return true;
  const { id, identify, secretHeaders, secretParameters, secretQuery } = (value ?? {}) as Record<string, unknown>;
  const lists = [secretHeaders, secretParameters, secretQuery].every(
    (list) => list === undefined || Array.isArray(list),
  );
  return typeof id === "string" && id !== "" && typeof identify === "function" && lists;
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return JSON.stringify(value) ?? String(value);
}

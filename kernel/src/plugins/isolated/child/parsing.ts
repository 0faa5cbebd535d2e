import { BadInput, type JsonLimits, type ParseJson } from "@longbox/sdk";
import type { z } from "zod";
import { readJson, UnreadableJson } from "../../../parsing/json-reading.js";
import { maskOf } from "../../../parsing/schema-mask.js";

const usual = { maxDepth: 100, maxValues: 100_000 };

/** How the process reads JSON: here, since it holds up nothing but the plugin itself. */
export interface ReadOptions {
  readonly bytes: Uint8Array;
  readonly schema: z.ZodType;
  readonly limits: JsonLimits | undefined;
}

type Details = { readonly problem: string; readonly fields?: Record<string, string> };

export function readHere(
  { bytes, schema, limits }: ReadOptions,
  failing: (told: string, details: Details) => Error,
): unknown {
  const parsed = schema.safeParse(readBounded(bytes, { schema, limits }, failing));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => [path.join(".") || "document", message] as const);
  const told = issues.map(([field, message]) => `${field}: ${message}`).join("; ");
  throw failing(`It does not match the schema. ${told}`, { problem: "unexpected", fields: Object.fromEntries(issues) });
}

function readBounded(
  bytes: Uint8Array,
  { schema, limits }: Omit<ReadOptions, "bytes">,
  failing: (told: string, details: Details) => Error,
): unknown {
  try {
    return readJson(bytes, { ...usual, ...limits }, maskOf(schema));
  } catch (fault) {
    if (fault instanceof UnreadableJson) throw failing(fault.message, { problem: fault.problem });
    throw fault;
  }
}

export const parseJsonHere: ParseJson = async (document, schema, limits) => {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
  const failing = (told: string, details: Details) =>
    Object.assign(new BadInput("kernel/json-unreadable", `The document cannot be read. ${told}`), { details });
  return readHere({ bytes, schema, limits }, failing) as z.output<typeof schema>;
};

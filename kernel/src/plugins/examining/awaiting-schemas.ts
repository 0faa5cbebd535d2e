import { types } from "node:util";
import type { z } from "zod";
import { partsOf, type Inner } from "./schema-parts.js";

// Schemas whose own code returns promises: values are checked at once, so that each one would be an error of the
// server.

interface Definition extends Inner {
  readonly checks?: readonly z.core.$ZodCheck[];
  readonly transform?: Transform;
  readonly out?: z.ZodType;
}

type Transform = (value: unknown, payload: object) => unknown;
type Checking = (payload: { value: unknown; issues: unknown[] }) => unknown;

/** The path to the first part of a schema that is checked or changed by a promise; undefined without any. */
export function findAwaiting(schema: z.ZodType, place = "", seen = new Set<unknown>()): string | undefined {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const definition = schema._zod.def as Definition;
  if (isAwaiting(schema, definition)) return place;
  const out = definition.type === "pipe" && definition.out ? [[place, definition.out] as const] : [];
  if (definition.type === "pipe" && transformsLater(definition)) return place;
  for (const [at, each] of [...partsOf(definition, place), ...out]) {
    const found = findAwaiting(each, at, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isAwaiting(schema: z.ZodType, { checks = [], type, transform }: Definition): boolean {
  const own = type === "custom" ? [schema as unknown as z.core.$ZodCheck] : [];
  const value = sampleOf(schema);
  return (
    [...own, ...checks].some((check) => isLate(check, value)) ||
    (transform !== undefined && transformsTo(transform, value))
  );
}

/** Code that is no `async` function shows what it returns by a value only. */
function isLate(check: z.core.$ZodCheck, value: unknown): boolean {
  const { check: kind, fn } = check._zod.def as { readonly check: string; readonly fn?: unknown };
  if (kind !== "custom") return false;
  return (
    [fn, check._zod.check].some((code) => types.isAsyncFunction(code)) ||
    givesPromise(() => (check._zod.check as Checking)({ value, issues: [] }))
  );
}

function transformsLater({ in: taken, out }: Definition): boolean {
  const { transform } = (out?._zod.def ?? {}) as Definition;
  return transform !== undefined && transformsTo(transform, taken && sampleOf(taken));
}

const transformsTo = (transform: Transform, value: unknown) =>
  types.isAsyncFunction(transform) || givesPromise(() => transform(value, { value, issues: [], addIssue() {} }));

function givesPromise(work: () => unknown): boolean {
  try {
    const result = work();
    if (!types.isPromise(result)) return false;
    // Only that it is a promise matters here, not how it ends.
    result.catch(() => undefined);
    return true;
  } catch {
    // What it does with a value that fits is not known.
    return false;
  }
}

const samples: Readonly<Record<string, unknown>> = {
  string: "a",
  number: 1,
  int: 1,
  boolean: true,
  bigint: 1n,
  array: [],
  record: {},
  null: null,
};

/** A value of the kind that a schema takes, which need not fit its rules. */
function sampleOf(schema: z.ZodType, depth = 0): unknown {
  const { type = "", shape, innerType, options, in: taken } = schema._zod.def as Definition;
  if (shape && depth < 5)
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sampleOf(field, depth + 1)]));
  const [inner] = [innerType, taken, ...(options ?? [])].filter((each) => each !== undefined);
  if (inner && depth < 10) return sampleOf(inner, depth + 1);
  return samples[type];
}

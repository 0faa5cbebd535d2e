import type { z } from "zod";

/** A part of a schema that is code. */
export interface FoundRule {
  readonly place: string;
  readonly kind: "refinement" | "transformation";
}

/** The parts of a definition that are walked; zod has them for every kind of schema. */
interface Inner {
  readonly type?: string;
  readonly checks?: readonly {
    readonly _zod?: { readonly def?: { readonly check?: string; readonly type?: string } };
  }[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

/** The first part of a schema that is code, and which JSON Schema cannot say. */
export function findRule(schema: z.ZodType, place = "", seen = new Set<unknown>()): FoundRule | undefined {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const { type, checks = [], shape = {}, ...inner } = schema._zod.def as Inner;
  if (type === "transform" || type === "pipe") return { place, kind: "transformation" };
  if (type === "custom" || checks.some(({ _zod: check }) => check?.def?.check === "custom"))
    return { place, kind: "refinement" };
  const fields = Object.entries(shape).map(
    ([name, field]) => [place === "" ? name : `${place}.${name}`, field] as const,
  );
  const { element, innerType, valueType, options = [], left, right } = inner;
  const others = [element, innerType, valueType, left, right, ...options].flatMap((each) =>
    each ? [[place, each] as const] : [],
  );
  for (const [at, each] of [...fields, ...others]) {
    const found = findRule(each, at, seen);
    if (found) return found;
  }
  return undefined;
}

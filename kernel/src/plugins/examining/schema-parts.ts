import type { z } from "zod";

/** The parts of a definition that are walked; zod has them for every kind of schema. */
interface Inner {
  readonly type?: string;
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

/** The place of the first part of a schema that makes another value of what is given. */
export function findTransformation(schema: z.ZodType, place = "", seen = new Set<unknown>()): string | undefined {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const { type, shape = {}, ...inner } = schema._zod.def as Inner;
  if (type === "transform" || type === "pipe") return place;
  const fields = Object.entries(shape).map(
    ([name, field]) => [place === "" ? name : `${place}.${name}`, field] as const,
  );
  const { element, innerType, valueType, options = [], left, right } = inner;
  const others = [element, innerType, valueType, left, right, ...options].flatMap((each) =>
    each ? [[place, each] as const] : [],
  );
  for (const [at, each] of [...fields, ...others]) {
    const found = findTransformation(each, at, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

import type { z } from "zod";

/** The parts of a definition that are walked; zod has them for every kind of schema. */
export interface Inner {
  readonly type?: string;
  readonly coerce?: boolean;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly rest?: z.ZodType | null;
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

/** A part of a schema that was looked for. */
export interface SchemaPart {
  /** The names of the fields that lead to it, joined by dots; empty for the schema itself. */
  readonly place: string;
  /** zod's word for the kind of schema. */
  readonly type: string;
}

/** The path to the first part of a schema that transforms its input. */
export function findTransformation(schema: z.ZodType): string | undefined {
  return findPart(schema, ({ type }) => type === "transform" || type === "pipe")?.place;
}

/** What no JSON value is, and zod can say in no JSON Schema: its word for it, and ours. */
export const outsideWords: Readonly<Record<string, string>> = {
  date: "a date",
  bigint: "a bigint",
  map: "a map",
  set: "a set",
  symbol: "a symbol",
  nan: "NaN",
  function: "a function",
  custom: "checked by code alone (z.custom, z.instanceof)",
  file: "a file",
  promise: "a promise",
};

/** The first part of a schema that takes what JSON cannot hold. */
export const findOutsideJson = (schema: z.ZodType): SchemaPart | undefined =>
  findPart(schema, ({ type = "" }) => type in outsideWords);

/** The same without what makes its value of a text or a number, such as `z.coerce.date()`. */
export const findUnreachable = (schema: z.ZodType): SchemaPart | undefined =>
  findPart(schema, ({ type = "", coerce }) => type in outsideWords && coerce !== true);

/** What a schema takes once defaults and the like are taken off, by zod's words; several for a union. */
export function inputTypes(schema: z.ZodType): string[] {
  const { type = "", innerType, options, in: taken, getter, coerce } = definitionOf(schema);
  if (coerce === true) return ["string"];
  if (type === "pipe" && taken) return inputTypes(taken);
  if (type === "union") return (options ?? []).flatMap(inputTypes);
  if (type === "lazy") return getter ? inputTypes(getter()) : [];
  return innerType ? inputTypes(innerType) : [type];
}

/** The same of the elements of a list. */
export function elementTypes(schema: z.ZodType): string[] {
  const { type, element, innerType, options = [], in: taken } = definitionOf(schema);
  if (type === "array" && element) return inputTypes(element);
  return [innerType, taken, ...options].flatMap((each) => (each ? elementTypes(each) : []));
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as Inner;

/** The first part of a schema that is looked for, by its definition in zod. */
export function findPart(
  schema: z.ZodType,
  isIt: (definition: Inner) => boolean,
  { place, seen }: { readonly place: string; readonly seen: Set<unknown> } = { place: "", seen: new Set() },
): SchemaPart | undefined {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const definition = definitionOf(schema);
  if (isIt(definition)) return { place, type: definition.type ?? "" };
  for (const [at, each] of partsOf(definition, place)) {
    const found = findPart(each, isIt, { place: at, seen });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schemas within one, each with the names of the fields that lead to it. */
export function partsOf(definition: Inner, place: string): (readonly [place: string, part: z.ZodType])[] {
  const { shape = {}, element, items = [], rest, innerType, valueType, options = [], left, right, getter } = definition;
  const fields = Object.entries(shape).map(
    ([name, field]) => [place === "" ? name : `${place}.${name}`, field] as const,
  );
  const others = [element, ...items, rest, innerType, valueType, left, right, definition.in, getter?.(), ...options];
  return [...fields, ...others.flatMap((each) => (each ? [[place, each] as const] : []))];
}

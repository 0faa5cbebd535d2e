import { z } from "zod";

/** What of a document a schema can use: the keys of objects, and what each item of a list is. */
export type Mask = "everything" | PartialMask;

interface PartialMask {
  readonly keys: ReadonlyMap<string, Mask>;
  /** What every other key of an object holds, where they are wanted. */
  readonly others: Mask | undefined;
  readonly items: Mask | undefined;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly prefixItems?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const nothing: PartialMask = { keys: new Map(), others: undefined, items: undefined };
const masks = new WeakMap<z.ZodType, Mask>();

/**
 * What a schema reads of a document. A thread that parses can leave out the rest, so that less must be carried over.
 * Where the schema does not say it, such as after a custom check, that is everything.
 */
export function maskOf(schema: z.ZodType): Mask {
  const known = masks.get(schema);
  if (known) return known;
  const mask = derive(schema);
  masks.set(schema, mask);
  return mask;
}

function derive(schema: z.ZodType): Mask {
  try {
    return read(z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as JsonSchema);
  } catch {
    return "everything";
  }
}

function read(schema: JsonSchema): Mask {
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches) return branches.map(read).reduce(join, nothing);
  if (schema.type === "object") return objectMask(schema);
  if (schema.type === "array")
    return schema.items && !schema.prefixItems ? { ...nothing, items: read(schema.items) } : "everything";
  return schema.type !== undefined || "const" in schema || "enum" in schema ? nothing : "everything";
}

/** An object that refuses or keeps unknown keys needs to see them. */
function objectMask({ properties, additionalProperties: others }: JsonSchema): Mask {
  if (!properties) return isSchema(others) ? { ...nothing, others: read(others) } : "everything";
  if (others !== undefined) return "everything";
  return { ...nothing, keys: new Map(Object.entries(properties).map(([key, each]) => [key, read(each)])) };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

function join(one: Mask, other: Mask): Mask {
  if (one === "everything" || other === "everything") return "everything";
  const keys = new Map<string, Mask>();
  for (const key of [...one.keys.keys(), ...other.keys.keys()])
    keys.set(key, join(one.keys.get(key) ?? one.others ?? nothing, other.keys.get(key) ?? other.others ?? nothing));
  return { keys, others: joinSome(one.others, other.others), items: joinSome(one.items, other.items) };
}

const joinSome = (one: Mask | undefined, other: Mask | undefined): Mask | undefined =>
  one && other ? join(one, other) : (one ?? other);

import fc, { type Arbitrary } from "fast-check";

type Schema = Record<string, any>;

/** A text that could be a path would make a server of the test look at the machine's own folders. */
const harmless = (text: string) => !/^[./~\\]/.test(text);

/** Inputs that a JSON Schema allows, as the API document writes it. */
export function fitting(schema: Schema, document: Schema, depth = 0): Arbitrary<unknown> {
  // A schema that holds itself, such as that of any JSON value, must come to an end.
  if (depth > 6) return fc.constant(null);
  if (schema["$ref"] !== undefined) return fitting(lookUp(document, schema["$ref"]), document, depth + 1);
  if (schema["const"] !== undefined) return fc.constant(schema["const"]);
  if (schema["enum"] !== undefined) return fc.constantFrom(...schema["enum"]);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (choices !== undefined) return fc.oneof(...choices.map((choice: Schema) => fitting(choice, document, depth + 1)));
  if (schema["allOf"] !== undefined)
    return fc
      .tuple(...schema["allOf"].map((part: Schema) => fitting(part, document, depth + 1)))
      .map((parts) => Object.assign({}, ...parts));
  const types: string[] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return fc.oneof(...types.map((type) => ofType(type, schema, document, depth)));
}

function ofType(type: string | undefined, schema: Schema, document: Schema, depth: number): Arbitrary<unknown> {
  if (type === "string") return text(schema);
  if (type === "integer") return fc.integer({ min: least(schema, 1), max: most(schema, 1) });
  if (type === "number") return fc.double({ min: least(schema, 0.001), max: most(schema, 0.001), noNaN: true });
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array")
    return fc.array(fitting(schema["items"] ?? {}, document, depth + 1), {
      minLength: schema["minItems"] ?? 0,
      maxLength: Math.min(schema["maxItems"] ?? 4, 4),
    });
  if (type === "object") return thing(schema, document, depth);
  return fc.jsonValue({ maxDepth: 1 });
}

function text(schema: Schema): Arbitrary<string> {
  const fits = (value: string) =>
    value.length >= (schema["minLength"] ?? 0) && value.length <= (schema["maxLength"] ?? Infinity) && harmless(value);
  if (schema["pattern"] !== undefined) return fc.stringMatching(new RegExp(schema["pattern"], "u")).filter(fits);
  return fc
    .string({
      minLength: schema["minLength"] ?? 0,
      maxLength: Math.min(schema["maxLength"] ?? 20, (schema["minLength"] ?? 0) + 20),
      unit: "grapheme",
    })
    .filter(fits);
}

function thing(schema: Schema, document: Schema, depth: number): Arbitrary<object> {
  const properties: Record<string, Schema> = schema["properties"] ?? {};
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fitting(property, document, depth + 1)]),
  );
  const required = (schema["required"] ?? []) as string[];
  const record = fc.record(known, { requiredKeys: required.filter((name) => name in known) });
  const more = schema["additionalProperties"];
  if (Object.keys(known).length > 0 || typeof more !== "object") return record;
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fitting(more, document, depth + 1), { maxKeys: 3 });
}

const least = (schema: Schema, step: number) =>
  Math.max(schema["minimum"] ?? -1_000_000, (schema["exclusiveMinimum"] ?? -Infinity) + step, -1_000_000);
const most = (schema: Schema, step: number) =>
  Math.min(schema["maximum"] ?? 1_000_000, (schema["exclusiveMaximum"] ?? Infinity) - step, 1_000_000);

function lookUp(document: Schema, reference: string): Schema {
  return reference
    .replace(/^#\//, "")
    .split("/")
    .reduce((at, part) => at[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

/** Bodies that hardly fit anything, some of them no JSON at all. */
export const unfitting: Arbitrary<string> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string().filter(harmless),
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    "true",
    "{}",
    '"text"',
    "1e999",
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{}}}',
    "[".repeat(5000),
    `{"a":${"[".repeat(200)}${"]".repeat(200)}}`,
  ),
);

/** Texts for the path and the query that try what parsers trip over. */
export const odd: Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "0",
    "-1",
    "1e3",
    "0x10",
    "９",
    "99999999999999999999",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    "' OR 1=1 --",
    "%",
    "%zz",
    "../..",
    "\u0000",
    "a".repeat(2000),
    "constructor",
    "__proto__",
    "toString",
  ),
);

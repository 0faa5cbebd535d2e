const deepest = 30;

type Shape = Record<string, unknown>;

/**
 * A JSON Schema without references and names: another plugin may use the same name for something else. What refers to
 * itself is open from there on.
 */
export function withoutReferences(schema: Shape): Shape {
  const { $defs: definitions = {}, ...rest } = schema as Shape & { $defs?: Record<string, Shape> };
  const inline = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each) => inline(each, open));
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference } = value as Shape;
    if (typeof reference !== "string") return inlineFields(value as Shape, (each) => inline(each, open));
    const name = reference.replace("#/$defs/", "");
    const found = definitions[name];
    return found === undefined || open.includes(name) || open.length > deepest ? {} : inline(found, [...open, name]);
  };
  return inline(rest, []) as Shape;
}

function inlineFields(value: Shape, inline: (each: unknown) => unknown): Shape {
  const fields = Object.entries(value).filter(
    ([key, each]) => !((key === "id" || key === "$schema") && typeof each === "string"),
  );
  return Object.fromEntries(fields.map(([key, each]) => [key, inline(each)]));
}

import { z } from "zod";

/** The parts of a JSON Schema that say which fields are known. */
interface FieldShape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FieldShape>>;
  readonly properties?: Readonly<Record<string, FieldShape>>;
  readonly additionalProperties?: FieldShape | boolean;
  readonly items?: FieldShape | boolean;
  readonly prefixItems?: readonly FieldShape[];
  readonly anyOf?: readonly FieldShape[];
  readonly oneOf?: readonly FieldShape[];
  readonly allOf?: readonly FieldShape[];
}

const mostNamed = 50;
const shapes = new WeakMap<z.ZodType, FieldShape>();

/** The value of `X-Unknown-Fields`: the fields of a JSON body that its schema does not know and leaves out. */
export function unknownFields(schema: z.ZodType, body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const found: string[] = [];
  const root = shapeOf(schema);
  new FieldWalk(root, found).walk([root], body, "");
  return found.length === 0 ? undefined : found.map((name) => encodeURI(name.slice(0, 100).toWellFormed())).join(", ");
}

function shapeOf(schema: z.ZodType): FieldShape {
  let shape = shapes.get(schema);
  if (shape === undefined)
    shapes.set(schema, (shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldShape));
  return shape;
}

class FieldWalk {
  constructor(
    private readonly root: FieldShape,
    private readonly found: string[],
  ) {}

  /** Where a value may have one of several shapes, a field that any of them knows is known. */
  walk(given: readonly FieldShape[], value: unknown, path: string): void {
    if (typeof value !== "object" || value === null || this.found.length >= mostNamed) return;
    const choices = given.flatMap((shape) => this.#choices(shape, 0));
    if (Array.isArray(value)) return this.#walkItems(choices, value, path);
    const objects = choices.filter(
      (shape) => shape.properties !== undefined || shape.additionalProperties !== undefined,
    );
    if (objects.length === 0) return;
    for (const [key, each] of Object.entries(value)) {
      const name = path === "" ? key : `${path}.${key}`;
      const known = objects.flatMap((shape) => fieldOf(shape, key));
      if (known.length > 0) this.walk(known, each, name);
      else if (this.found.length < mostNamed) this.found.push(name);
    }
  }

  #walkItems(choices: readonly FieldShape[], items: readonly unknown[], path: string): void {
    for (const [at, item] of items.entries()) {
      const shapesOfItem = choices.flatMap((shape) => shape.prefixItems?.[at] ?? shape.items ?? []);
      this.walk(
        shapesOfItem.filter((shape) => typeof shape === "object"),
        item,
        path === "" ? String(at) : `${path}.${at}`,
      );
    }
  }

  #choices(shape: FieldShape, depth: number): FieldShape[] {
    if (depth > 20) return [];
    const referred = shape.$ref === undefined ? undefined : this.#resolve(shape.$ref);
    const inner = [
      ...(shape.anyOf ?? []),
      ...(shape.oneOf ?? []),
      ...(shape.allOf ?? []),
      ...(referred ? [referred] : []),
    ];
    return [shape, ...inner.flatMap((each) => this.#choices(each, depth + 1))];
  }

  #resolve(reference: string): FieldShape | undefined {
    return reference === "#" ? this.root : this.root.$defs?.[reference.replace("#/$defs/", "")];
  }
}

function fieldOf(shape: FieldShape, key: string): FieldShape[] {
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, key)) return [shape.properties[key]!];
  const others = shape.additionalProperties;
  if (others === undefined || others === false) return [];
  return [others === true ? {} : others];
}

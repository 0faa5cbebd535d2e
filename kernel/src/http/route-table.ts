/** What stands at one path: a record for each method. */
interface Place<Item> {
  readonly methods: Map<string, Item>;
  /** The value of the `Allow` header. */
  allow: string;
}

interface Node<Item> {
  readonly literals: Map<string, Node<Item>>;
  parameter: Node<Item> | undefined;
  place: Place<Item> | undefined;
}

/** What a path leads to, with the raw text of its parameters in their order. */
export interface Found<Item> {
  readonly methods: ReadonlyMap<string, Item>;
  readonly allow: string;
  readonly values: readonly string[];
}

const none: readonly string[] = [];
const isParameter = (segment: string) => segment.startsWith("{") && segment.endsWith("}");

/** The names of a path's parameters, in their order. */
export function parameterNames(path: string): string[] {
  return path.split("/").filter(isParameter).map((segment) => segment.slice(1, -1));
}

/** The path with its parameters made anonymous: two routes clash when their shapes and methods are the same. */
export function pathShape(path: string): string {
  return path.split("/").map((segment) => (isParameter(segment) ? "{}" : segment)).join("/");
}

/**
 * Finds by path: exact and case-sensitive, byte for byte as the client wrote it; a literal segment is tried before a
 * parameter. Nothing is normalised, so that no second spelling of a path exists. It is filled once and then only read.
 */
export class RouteTable<Item> {
  readonly #root: Node<Item> = { literals: new Map(), parameter: undefined, place: undefined };
  readonly #plain = new Map<string, Found<Item>>();

  constructor(items: Iterable<{ readonly method: string; readonly path: string; readonly item: Item }>) {
    for (const { method, path, item } of items) this.#add(method, path, item);
  }

  find(path: string): Found<Item> | undefined {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const segments = path.split("/");
    const values: string[] = [];
    const place = walk(this.#root, segments, 1, values);
    return place && { methods: place.methods, allow: place.allow, values };
  }

  #add(method: string, path: string, item: Item): void {
    let node = this.#root;
    for (const segment of path.split("/").slice(1)) node = isParameter(segment) ? parameterOf(node) : literalOf(node, segment);
    node.place ??= { methods: new Map(), allow: "" };
    node.place.methods.set(method, item);
    if (method === "GET") node.place.methods.set("HEAD", item);
    node.place.allow = [...node.place.methods.keys()].sort().join(", ");
    if (!path.includes("{")) this.#plain.set(path, { methods: node.place.methods, allow: node.place.allow, values: none });
  }
}

function literalOf<Item>(node: Node<Item>, segment: string): Node<Item> {
  const present = node.literals.get(segment) ?? { literals: new Map(), parameter: undefined, place: undefined };
  node.literals.set(segment, present);
  return present;
}

function parameterOf<Item>(node: Node<Item>): Node<Item> {
  node.parameter ??= { literals: new Map(), parameter: undefined, place: undefined };
  return node.parameter;
}

function walk<Item>(node: Node<Item>, segments: readonly string[], at: number, values: string[]): Place<Item> | undefined {
  if (at === segments.length) return node.place;
  const segment = segments[at]!;
  const literal = node.literals.get(segment);
  const viaLiteral = literal && walk(literal, segments, at + 1, values);
  if (viaLiteral !== undefined) return viaLiteral;
  if (node.parameter === undefined || segment === "" || segment === "." || segment === "..") return undefined;
  values.push(segment);
  const viaParameter = walk(node.parameter, segments, at + 1, values);
  if (viaParameter === undefined) values.pop();
  return viaParameter;
}

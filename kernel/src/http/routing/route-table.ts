/** What stands at one path: a record for each method. */
interface Place<Item> {
  readonly methods: Map<string, Item>;
}

interface Node<Item> {
  readonly literals: Map<string, Node<Item>>;
  parameter: Node<Item> | undefined;
  place: Place<Item> | undefined;
  /** What takes all the segments that are left. */
  rest: Place<Item> | undefined;
}

/** What a path leads to, with the raw text of its parameters in their order. */
export interface Found<Item> {
  readonly methods: ReadonlyMap<string, Item>;
  readonly values: readonly string[];
}

const none: readonly string[] = [];
export const isParameter = (segment: string) => segment.startsWith("{") && segment.endsWith("}");
/** `{rest...}` at the end of a path takes one segment or more. */
export const isRest = (segment: string) => segment.startsWith("{") && segment.endsWith("...}");
const newNode = <Item>(): Node<Item> => ({
  literals: new Map(),
  parameter: undefined,
  place: undefined,
  rest: undefined,
});

/** The names of a path's parameters, in their order. */
export function parameterNames(path: string): string[] {
  return path
    .split("/")
    .filter(isParameter)
    .map((segment) => segment.slice(1, isRest(segment) ? -4 : -1));
}

/**
 * Finds by path: exact and case-sensitive, byte for byte as the client wrote it; a literal segment is tried before a
 * parameter, and both before what takes all that is left. Nothing is normalised, so that no second spelling of a path
 * exists. It is filled once and then only read.
 */
export class RouteTable<Item> {
  readonly #root: Node<Item> = newNode();
  readonly #plain = new Map<string, Found<Item>>();

  constructor(items: Iterable<{ readonly method: string; readonly path: string; readonly item: Item }>) {
    for (const { method, path, item } of items) this.#add(method, path, item);
  }

  find(path: string): Found<Item> | undefined {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const walk = new Walk<Item>(path.split("/"));
    const place = walk.from(this.#root, 1);
    return place && { methods: place.methods, values: walk.values };
  }

  #add(method: string, path: string, item: Item): void {
    let node = this.#root;
    const segments = path.split("/").slice(1);
    const takesRest = isRest(segments.at(-1)!);
    for (const segment of takesRest ? segments.slice(0, -1) : segments)
      node = isParameter(segment) ? parameterOf(node) : literalOf(node, segment);
    const place: Place<Item> = (takesRest ? node.rest : node.place) ?? { methods: new Map() };
    if (takesRest) node.rest = place;
    else node.place = place;
    place.methods.set(method, item);
    if (method === "GET") place.methods.set("HEAD", item);
    if (!path.includes("{")) this.#plain.set(path, { methods: place.methods, values: none });
  }
}

function literalOf<Item>(node: Node<Item>, segment: string): Node<Item> {
  const present = node.literals.get(segment) ?? newNode<Item>();
  node.literals.set(segment, present);
  return present;
}

function parameterOf<Item>(node: Node<Item>): Node<Item> {
  node.parameter ??= newNode();
  return node.parameter;
}

/** Finds the place of one path, and collects the values of its parameters on the way. */
class Walk<Item> {
  readonly values: string[] = [];
  readonly #segments: readonly string[];

  constructor(segments: readonly string[]) {
    this.#segments = segments;
  }

  from(node: Node<Item>, at: number): Place<Item> | undefined {
    if (at === this.#segments.length) return node.place;
    return this.#further(node, at) ?? this.#rest(node, at);
  }

  #further(node: Node<Item>, at: number): Place<Item> | undefined {
    const segment = this.#segments[at]!;
    const literal = node.literals.get(segment);
    const viaLiteral = literal && this.from(literal, at + 1);
    if (viaLiteral !== undefined) return viaLiteral;
    if (node.parameter === undefined || segment === "" || isDots(segment)) return undefined;
    this.values.push(segment);
    const viaParameter = this.from(node.parameter, at + 1);
    if (viaParameter === undefined) this.values.pop();
    return viaParameter;
  }

  #rest({ rest }: Node<Item>, at: number): Place<Item> | undefined {
    if (rest === undefined) return undefined;
    const left = this.#segments.slice(at);
    if (left.some(isDots)) return undefined;
    this.values.push(left.join("/"));
    return rest;
  }
}

const isDots = (segment: string) => segment === "." || segment === "..";

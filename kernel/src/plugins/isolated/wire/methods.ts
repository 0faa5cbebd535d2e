import { types } from "node:util";

/** Names that the language itself looks up on objects. */
const notMethods: ReadonlySet<string> = new Set(["constructor", "then", "toJSON", "toString", "valueOf"]);

/** The names of an object's methods: its own functions, and those of its classes. */
export function methodsOf(value: object): string[] {
  if (isPlainData(value)) return [];
  const found = new Set<string>();
  for (
    let at: object | null = value;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof method === "function" && !notMethods.has(name)) found.add(name);
  return [...found];
}

/**
 * Most objects that cross are data alone, and looking at their descriptors would take most of the time of a short call.
 */
function isPlainData(value: object): boolean {
  if (!isWrittenOut(value)) return false;
  for (const name of Object.getOwnPropertyNames(value))
    if (typeof (value as Record<string, unknown>)[name] === "function") return false;
  return true;
}

/** Everything of an object that is meant for others but its methods, with the present values of accessors. */
export function fieldsOf(value: object): Record<string, unknown> {
  return { ...Object.fromEntries(crossingFields(value, methodsOf(value))), ...valuesOf(value, accessorsOf(value)) };
}

export function valuesOf(value: object, accessors: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(accessors.map((name) => [name, Reflect.get(value, name) as unknown]));
}

/** The methods of an object, also those of its classes, as functions of their own. */
export function methodsAsOwn(value: object): Record<string, unknown> {
  const bound =
    (name: string) =>
    (...given: unknown[]) =>
      Reflect.apply(Reflect.get(value, name) as Function, value, given) as unknown;
  return Object.fromEntries(methodsOf(value).map((name) => [name, bound(name)]));
}

const mostDepth = 20;

/**
 * The fields of an object with methods that cross with it. Those of an object that is written out are all meant for
 * others; of an object of a class only those that hold data are, and the rest is how it does its work.
 */
export function crossingFields(value: object, methods: readonly string[]): [string, unknown][] {
  const fields = Object.entries(value).filter(([name]) => !methods.includes(name));
  return isWrittenOut(value) ? fields : fields.filter(([, each]) => isData(each));
}

function isData(value: unknown, depth = 0): boolean {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null) return true;
  // A stand-in for a contract has every method that it is asked for.
  if (depth > mostDepth || types.isProxy(value)) return false;
  if (value instanceof Date || value instanceof URL || value instanceof Uint8Array) return true;
  if (value instanceof Map) return [...value].every((entry) => isData(entry, depth + 1));
  if (Array.isArray(value) || value instanceof Set) return [...value].every((each) => isData(each, depth + 1));
  return isWrittenOut(value) && Object.values(value).every((each) => isData(each, depth + 1));
}

/** Whether an object is of no class. */
function isWrittenOut(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}

/** The names of an object's accessors, whose values may change without notice. */
export function accessorsOf(value: object): string[] {
  const found = new Set<string>();
  for (
    let at: object | null = value;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get !== undefined && name !== "__proto__") found.add(name);
  return [...found];
}

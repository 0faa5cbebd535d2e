import { LongboxError } from "@longbox/sdk";
import { BrokenFrame } from "./frames.js";
import { crossingFields, methodsOf } from "./methods.js";

/** A value cannot cross to or from an isolated plugin. */
export class CannotCross extends LongboxError {
  constructor(place: string, problem: string) {
    super("internal", "kernel/cannot-cross", `${place} cannot cross to or from an isolated plugin: ${problem}`, {
      place,
      problem,
    });
  }
}

/**
 * Which functions may cross. Across processes every call answers with a promise, so a function that is expected to
 * answer at once would be misunderstood: a promise counts as true. `promising` takes only functions that are `async`.
 */
export type FunctionRule = "all" | "promising";

/** A kind of object that crosses in a way of its own. */
export interface SpecialKind {
  readonly tag: string;
  /** The JSON that stands for it; undefined when the value is none of this kind. */
  write(value: object, writing: Writing, inner: Inner): unknown;
  read(told: unknown, reading: Reading, inner: Inner): unknown;
}

/** Writes or reads a value that another consists of. */
export type Inner = (value: unknown) => unknown;

/** What has to be looked after while one message is written. */
export interface Writing {
  readonly parts: Uint8Array[];
  readonly rule: FunctionRule;
  readonly place: string;
  /** The number of an object of this side that the other side gets a stand-in for. */
  send(thing: object): number;
  /** Called once the call that the message belongs to has ended. */
  readonly afterwards: (work: () => void) => void;
}

export interface Reading {
  readonly parts: readonly Uint8Array[];
  readonly afterwards: (work: () => void) => void;
  /** Makes an object that stands for one of the other side, by its number. */
  receive(number: number, standIn: object): object;
}

/** Objects that stay where they are, and are called from the other side. */
export interface Referring {
  /** The number of an object of this side that goes out. */
  send(thing: object): number;
  /** A stand-in for an object of the other side. */
  receive(number: number, shape: ReferenceShape): object;
  /** The number of a stand-in, which goes home. */
  numberOf(thing: object): number | undefined;
  /** An object of this side that has come home. */
  home(number: number): object;
}

export interface ReferenceShape {
  readonly kind: "function" | "object";
  /** Fields whose values were copied. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly methods: readonly string[];
}

const mostDepth = 100;
const tagged = "$";

/** Turns values into JSON and back: data is copied, objects with methods and functions are referred to. */
export class Values {
  constructor(
    private readonly referring: Referring,
    private readonly specials: readonly SpecialKind[],
  ) {}

  /** @throws {CannotCross} */
  write(value: unknown, writing: Writing, depth = 0): unknown {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return crossesAsItIs(value) ? value : { [tagged]: "n", v: String(value) };
      case "undefined":
        return { [tagged]: "u" };
      case "bigint":
        return { [tagged]: "i", v: String(value) };
      case "symbol":
        throw new CannotCross(writing.place, "a symbol has no meaning in another process.");
      case "function":
        return this.#writeFunction(value, writing);
      default:
        if (value === null) return null;
        if (depth > mostDepth) throw new CannotCross(writing.place, "it is nested too deeply, or contains itself.");
        return this.#writeObject(value as object, writing, depth);
    }
  }

  #writeFunction(value: Function, writing: Writing): unknown {
    const home = this.referring.numberOf(value);
    if (home !== undefined) return { [tagged]: "h", v: home };
    if (writing.rule === "promising" && value.constructor.name !== "AsyncFunction")
      throw new CannotCross(
        writing.place,
        `the function ${value.name || "without a name"} is not declared async, and calls across processes answer with promises.`,
      );
    return { [tagged]: "f", v: this.referring.send(value) };
  }

  #writeObject(value: object, writing: Writing, depth: number): unknown {
    const home = this.referring.numberOf(value);
    if (home !== undefined) return { [tagged]: "h", v: home };
    const built = writeBuiltIn(value, writing, (inner) => this.write(inner, writing, depth + 1));
    if (built !== undefined) return built;
    for (const special of this.specials) {
      const told = special.write(value, writing, (inner) => this.write(inner, writing, depth + 1));
      if (told !== undefined) return { [tagged]: special.tag, v: told };
    }
    if (Array.isArray(value))
      return value.map((item) => (crossesAsItIs(item) ? item : this.write(item, writing, depth + 1)));
    const methods = methodsOf(value);
    if (methods.length === 0) return this.#writeFields(value, writing, depth);
    return this.#writeReference(value, { ...writing, place: writing.place }, methods);
  }

  #writeFields(value: object, writing: Writing, depth: number): unknown {
    const fields: Record<string, unknown> = {};
    let needsEscape = false;
    for (const [key, each] of Object.entries(value)) {
      if (key === tagged) needsEscape = true;
      if (crossesAsItIs(each)) {
        define(fields, key, each);
        continue;
      }
      const named = depth < 3 ? { ...writing, place: `${writing.place}.${key}` } : writing;
      define(fields, key, this.write(each, named, depth + 1));
    }
    return needsEscape ? { [tagged]: "o", v: Object.entries(fields) } : fields;
  }

  #writeReference(value: object, writing: Writing, methods: readonly string[]): unknown {
    for (const name of methods) this.#checkMethod(value, name, writing);
    const fields = crossingFields(value, methods).map(([key, each]) => [
      key,
      this.write(each, { ...writing, place: `${writing.place}.${key}` }, 1),
    ]);
    return { [tagged]: "r", v: this.referring.send(value), f: fields, m: methods };
  }

  #checkMethod(value: object, name: string, writing: Writing): void {
    const method: unknown = Reflect.get(value, name);
    if (writing.rule !== "promising" || endings.has(name) || typeof method !== "function") return;
    if (method.constructor.name === "AsyncFunction") return;
    throw new CannotCross(
      `${writing.place}.${name}`,
      "the method is not declared async, and calls across processes answer with promises.",
    );
  }

  /** @throws {BrokenFrame} when it was not written by `write` */
  read(told: unknown, reading: Reading): unknown {
    if (typeof told !== "object" || told === null) return told;
    if (Array.isArray(told)) return told.map((item) => this.read(item, reading));
    if (tagged in told) return this.#readTagged(told as Tagged, reading);
    const value: Record<string, unknown> = {};
    for (const [key, each] of Object.entries(told)) define(value, key, this.read(each, reading));
    return value;
  }

  #readTagged(told: Tagged, reading: Reading): unknown {
    const { $: tag, v } = told;
    if (tag === "h") return this.referring.home(Number(v));
    if (tag === "f") return this.referring.receive(Number(v), { kind: "function", fields: {}, methods: [] });
    if (tag === "r") return this.#readReference(told, reading);
    if (tag === "o") return this.#readEntries(v, reading);
    const special = this.specials.find((each) => each.tag === tag);
    if (special) return special.read(v, reading, (inner) => this.read(inner, reading));
    return readBuiltIn(told, reading, (inner) => this.read(inner, reading));
  }

  #readReference({ v, f, m }: Tagged, reading: Reading): object {
    const fields = this.#readEntries(f, reading);
    const methods = Array.isArray(m) ? m.filter((name) => typeof name === "string") : [];
    return this.referring.receive(Number(v), { kind: "object", fields, methods });
  }

  #readEntries(entries: unknown, reading: Reading): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const [key, each] of listOf(entries).map(listOf)) define(value, String(key), this.read(each, reading));
    return value;
  }
}

function crossesAsItIs(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/** Methods that end something: their answers are not looked at. */
const endings = new Set(["release", "close", "dispose", "cancel"]);

interface Tagged {
  readonly $: unknown;
  readonly v?: unknown;
  readonly f?: unknown;
  readonly m?: unknown;
}

/** A field may be called __proto__, too, and is no more than a field. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new BrokenFrame("A list is missing in a message.");
}

function writeBuiltIn(value: object, { parts }: Writing, write: (inner: unknown) => unknown): unknown {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    parts.push(value instanceof Uint8Array ? value : new Uint8Array(value));
    return { $: "b", v: parts.length - 1 };
  }
  if (value instanceof Date) return { $: "d", v: value.getTime() };
  if (value instanceof Map) return { $: "m", v: [...value].map(([key, each]) => [write(key), write(each)]) };
  if (value instanceof Set) return { $: "s", v: [...value].map(write) };
  if (value instanceof URL) return { $: "l", v: value.href };
  if (value instanceof Headers) return { $: "k", v: [...value] };
  return undefined;
}

function readBuiltIn({ $: tag, v }: Tagged, { parts }: Reading, read: (inner: unknown) => unknown): unknown {
  if (tag === "u") return undefined;
  if (tag === "n") return Number(v);
  if (tag === "i") return BigInt(String(v).slice(0, 400));
  if (tag === "d") return new Date(typeof v === "number" ? v : Number.NaN);
  if (tag === "l" && URL.canParse(String(v))) return new URL(String(v));
  if (tag === "m") return new Map(listOf(v).map((entry) => listOf(entry).map(read) as [unknown, unknown]));
  if (tag === "s") return new Set(listOf(v).map(read));
  if (tag === "k") return new Headers(listOf(v).map((pair) => listOf(pair).map(String) as [string, string]));
  const part = tag === "b" ? parts[Number(v)] : undefined;
  if (part === undefined) throw new BrokenFrame("A value of an unknown kind is in a message.");
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
}

import { LongboxError } from "@longbox/sdk/light";
import type { Mask } from "./schema-mask.js";

/** How much a JSON document may hold. */
export interface JsonBounds {
  /** Lists and objects inside of each other. */
  readonly maxDepth: number;
  /** Texts, numbers, lists, objects and so on, counted after everything that is not wanted was left out. */
  readonly maxValues: number;
}

/** What can be wrong with a document, apart from its schema. */
export type JsonProblem = "malformed" | "too-deep" | "too-many-values";

/** Crosses from the thread; those who read give it the code that their callers know. */
export class UnreadableJson extends LongboxError {
  constructor(
    readonly problem: JsonProblem,
    message: string,
    cause?: unknown,
  ) {
    super("bad-input", "kernel/json-unreadable", message, { problem }, { cause });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a document within bounds, and leaves out what the mask does not ask for.
 * @throws {UnreadableJson}
 */
export function readJson(bytes: Uint8Array, bounds: JsonBounds, mask: Mask): unknown {
  const text = decode(bytes);
  refuseDeep(text, bounds.maxDepth);
  const counted = new Pruning(bounds.maxValues);
  return counted.keep(parse(text), mask);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new UnreadableJson("malformed", "It is not UTF-8 text.", cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableJson("malformed", "It is not well-formed JSON.", cause);
  }
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the brackets that are open at once, those in texts left out: what walks through a value calls itself at each
 * level.
 */
function refuseDeep(text: string, most: number): void {
  let levels = 0;
  let inText = false;
  // What is this short has no room for so many brackets.
  for (let at = text.length > most ? 0 : text.length; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) inText = !inText;
    else if (inText) at += character === backslash ? 1 : 0;
    else if (character === openList || character === openObject) levels += 1;
    else if (character === closeList || character === closeObject) levels -= 1;
    if (levels > most)
      throw new UnreadableJson("too-deep", `It holds lists and objects more than ${most} levels deep.`);
  }
}

/** Counts values while it leaves out the unwanted. */
class Pruning {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  keep(value: unknown, mask: Mask): unknown {
    this.#count();
    if (typeof value !== "object" || value === null) return value;
    if (mask === "everything") return this.#countAll(value);
    if (Array.isArray(value)) return mask.items === undefined ? [] : value.map((item) => this.keep(item, mask.items!));
    const kept: Record<string, unknown> = {};
    const found = value as Record<string, unknown>;
    for (const key of mask.others ? Object.keys(found) : mask.keys.keys()) {
      const wanted = mask.keys.get(key) ?? mask.others!;
      // A key of this name would replace the object's prototype; no schema asks for it.
      if (key !== "__proto__" && Object.hasOwn(found, key)) kept[key] = this.keep(found[key], wanted);
    }
    return kept;
  }

  #countAll<T extends object>(value: T): T {
    for (const item of Object.values(value)) {
      this.#count();
      if (typeof item === "object" && item !== null) this.#countAll(item as object);
    }
    return value;
  }

  #count(): void {
    if ((this.#left -= 1) < 0) throw new UnreadableJson("too-many-values", `It holds more than ${this.#most} values.`);
  }
}

import { LongboxError } from "@longbox/sdk";

/** So many objects of one side may be held by the other at once. */
const mostExports = 50_000;

/** The other side holds on to more objects than a plugin may. */
class TooManyReferences extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "kernel/isolated-overloaded",
      `More than ${mostExports} objects are held across the process border.`,
    );
  }
}

interface Exported {
  readonly thing: object;
  /** How often it was sent, less how often the other side has let go of it. */
  count: number;
}

/** Objects of this side that the other holds, by their number. */
export class Exports {
  readonly #things = new Map<number, Exported>();
  readonly #numbers = new WeakMap<object, number>();
  #next = 1;

  /** The number of an object; counts that it was sent once more. */
  send(thing: object): number {
    const known = this.#numbers.get(thing);
    const entry = known === undefined ? undefined : this.#things.get(known);
    if (known !== undefined && entry) {
      entry.count += 1;
      return known;
    }
    if (this.#things.size >= mostExports) throw new TooManyReferences();
    const number = this.#next;
    this.#next += 1;
    this.#things.set(number, { thing, count: 1 });
    this.#numbers.set(thing, number);
    return number;
  }

  find(number: number): object | undefined {
    return this.#things.get(number)?.thing;
  }

  /** All that the other side holds. */
  *entries(): Iterable<readonly [number: number, thing: object]> {
    for (const [number, { thing }] of this.#things) yield [number, thing];
  }

  drop(number: number, count: number): void {
    const entry = this.#things.get(number);
    if (!entry) return;
    entry.count -= count;
    if (entry.count <= 0) this.#things.delete(number);
  }

  clear(): void {
    this.#things.clear();
  }
}

interface Imported {
  readonly proxy: WeakRef<object>;
  count: number;
}

/** Stand-ins for objects of the other side. The other side hears when one is no longer used here. */
export class Imports {
  readonly #proxies = new Map<number, Imported>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #gone: FinalizationRegistry<{ readonly number: number; readonly entry: Imported }>;

  constructor(drop: (number: number, count: number) => void) {
    this.#gone = new FinalizationRegistry(({ number, entry }) => {
      if (this.#proxies.get(number) === entry) this.#proxies.delete(number);
      drop(number, entry.count);
    });
  }

  receive(number: number, make: () => object): object {
    const known = this.#proxies.get(number);
    const proxy = known?.proxy.deref();
    if (known && proxy) {
      known.count += 1;
      return proxy;
    }
    const made = make();
    const entry: Imported = { proxy: new WeakRef(made), count: 1 };
    this.#proxies.set(number, entry);
    this.#numbers.set(made, number);
    this.#gone.register(made, { number, entry });
    return made;
  }

  /** The stand-in of a number; undefined when it is no longer used here. */
  find(number: number): object | undefined {
    return this.#proxies.get(number)?.proxy.deref();
  }

  /** The number that the other side knows a stand-in by; undefined for everything else. */
  numberOf(thing: object): number | undefined {
    return this.#numbers.get(thing);
  }
}

import type { Bits } from "./bits.js";
import { Numbers } from "./growing.js";

/** The value of documents without any: every column counts it at index 0. */
export const without = 0;

/** What documents have of one kind, as numbers of values: the authors, the language. */
export interface Column {
  /** How many documents of the set have each value; the result is indexed by value, {@link without} first. */
  count(within: Bits, values: number): Uint32Array;
  /** Adds the documents to `into` that have a value whose place in `wanted` is 1. */
  match(wanted: Uint8Array, into: Bits): void;
  /** Calls for each value of a document. */
  read(document: number, visit: (value: number) => void): void;
}

/** One value for each document. */
export class SingleColumn implements Column {
  constructor(readonly numbers: Numbers = new Numbers()) {}

  push(value: number): void {
    this.numbers.push(value);
  }

  count(within: Bits, values: number): Uint32Array {
    const counts = new Uint32Array(values);
    const all = this.numbers.values;
    const { words } = within;
    for (let at = 0; at < words.length; at++) {
      let word = words[at]!;
      while (word !== 0) {
        const lowest = word & -word;
        counts[all[(at << 5) + 31 - Math.clz32(lowest)]!]!++;
        word ^= lowest;
      }
    }
    return counts;
  }

  match(wanted: Uint8Array, into: Bits): void {
    const all = this.numbers.values;
    for (let document = 0; document < all.length; document++) if (wanted[all[document]!] === 1) into.add(document);
  }

  read(document: number, visit: (value: number) => void): void {
    const value = this.numbers.at(document);
    if (value !== without) visit(value);
  }
}

/** Any number of values for each document, one document's behind the other's. */
export class ListColumn implements Column {
  constructor(
    readonly ends: Numbers = new Numbers(),
    readonly items: Numbers = new Numbers(),
  ) {}

  push(values: readonly number[]): void {
    for (const value of values) this.items.push(value);
    this.ends.push(this.items.length);
  }

  count(within: Bits, values: number): Uint32Array {
    const counts = new Uint32Array(values);
    const [ends, items] = [this.ends.values, this.items.values];
    const { words } = within;
    for (let at = 0; at < words.length; at++) {
      let word = words[at]!;
      while (word !== 0) {
        const lowest = word & -word;
        const document = (at << 5) + 31 - Math.clz32(lowest);
        const end = ends[document]!;
        let place = document === 0 ? 0 : ends[document - 1]!;
        if (place === end) counts[without]!++;
        for (; place < end; place++) counts[items[place]!]!++;
        word ^= lowest;
      }
    }
    return counts;
  }

  match(wanted: Uint8Array, into: Bits): void {
    const [ends, items] = [this.ends.values, this.items.values];
    let place = 0;
    for (let document = 0; document < ends.length; document++) {
      const end = ends[document]!;
      let found = place === end && wanted[without] === 1;
      for (; place < end; place++) if (wanted[items[place]!] === 1) found = true;
      if (found) into.add(document);
    }
  }

  read(document: number, visit: (value: number) => void): void {
    for (let place = this.#start(document); place < this.ends.at(document); place++) visit(this.items.at(place));
  }

  #start(document: number): number {
    return document === 0 ? 0 : this.ends.at(document - 1);
  }
}

/** A value that only some documents have, such as what one user has read. */
export class SparseColumn implements Column {
  constructor(readonly values: ReadonlyMap<number, number>) {}

  count(within: Bits, values: number): Uint32Array {
    const counts = new Uint32Array(values);
    let having = 0;
    for (const [document, value] of this.values) {
      if (!within.has(document)) continue;
      counts[value]!++;
      having++;
    }
    counts[without] = within.count() - having;
    return counts;
  }

  match(wanted: Uint8Array, into: Bits): void {
    if (wanted[without] === 1) {
      into.words.fill(0xffffffff);
      for (const document of this.values.keys()) into.remove(document);
    }
    for (const [document, value] of this.values) if (wanted[value] === 1) into.add(document);
  }

  read(document: number, visit: (value: number) => void): void {
    const value = this.values.get(document);
    if (value !== undefined) visit(value);
  }
}

/** A value that is computed from another column, such as how long ago something was added. */
export class ComputedColumn implements Column {
  constructor(
    private readonly numbers: Numbers,
    private readonly valueOf: (number: number) => number,
  ) {}

  count(within: Bits, values: number): Uint32Array {
    const counts = new Uint32Array(values);
    const all = this.numbers.values;
    within.forEach((document) => void counts[this.valueOf(all[document]!)]!++);
    return counts;
  }

  match(wanted: Uint8Array, into: Bits): void {
    const all = this.numbers.values;
    for (let document = 0; document < all.length; document++)
      if (wanted[this.valueOf(all[document]!)] === 1) into.add(document);
  }

  read(document: number, visit: (value: number) => void): void {
    const value = this.valueOf(this.numbers.at(document));
    if (value !== without) visit(value);
  }
}

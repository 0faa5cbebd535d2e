import { titleOrder } from "@longbox/collection/contract";
import { lengthMinutes } from "../browsing/facets.js";
import type { Bits } from "../columns/bits.js";
import type { Names } from "../names/names.js";
import type { Documents } from "./documents.js";

export type OrderName = "title" | "added" | "date" | "length";

/** From so many new documents on, sorting everything takes less time than placing them one by one. */
const mostPlaced = 20_000;
/** Sort keys are made of two numbers, of which the lower one is below this. */
const span = 2 ** 22;

/** Documents in one order. What is new is placed when the order is next needed. */
class Order {
  #sorted: Uint32Array = new Uint32Array(0);
  /** How many documents have been placed, the dead included. */
  #placed = 0;

  constructor(
    private readonly rank: (count: number) => Uint32Array,
    private readonly compare: (one: number, other: number) => number,
  ) {}

  /** The documents from the lowest to the highest; some may be dead. */
  sorted(count: number): Uint32Array {
    const added = count - this.#placed;
    if (added > mostPlaced) this.#sorted = this.rank(count);
    else if (added > 0) this.#sorted = this.#merged(count);
    this.#placed = count;
    return this.#sorted;
  }

  #merged(count: number): Uint32Array {
    const fresh = Uint32Array.from({ length: count - this.#placed }, (_, index) => this.#placed + index);
    fresh.sort(this.compare);
    const merged = new Uint32Array(count);
    let [taken, place] = [0, 0];
    for (const document of fresh) {
      const end = this.#placeOf(document, taken);
      merged.set(this.#sorted.subarray(taken, end), place);
      place += end - taken;
      taken = end;
      merged[place++] = document;
    }
    merged.set(this.#sorted.subarray(taken), place);
    return merged;
  }

  #placeOf(document: number, from: number): number {
    let [low, high] = [from, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.#sorted[middle]!, document) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Every order of the documents. */
export class Orders {
  readonly #documents: Documents;
  readonly #orders: Readonly<Record<OrderName, Order>>;
  readonly #keys: { readonly title: KeyList; readonly number: KeyList };

  constructor(documents: Documents, names: Names) {
    this.#documents = documents;
    this.#keys = { title: new KeyList(names, "title"), number: new KeyList(names, "number") };
    this.#orders = {
      title: new Order(
        (count) => this.#rankTitles(count),
        (one, other) => this.#compareTitles(one, other),
      ),
      ...this.#numeric(),
    };
  }

  /** Sorts everything now, so that no question has to wait for it. */
  prepare(): void {
    for (const order of Object.values(this.#orders)) order.sorted(this.#documents.count);
  }

  /**
   * The documents of a set in an order, from `offset` on. What has no date or length is last, whichever way.
   * @param descending - the highest first
   */
  page(within: Bits, { name, descending }: { name: OrderName; descending: boolean }, range: Range): number[] {
    const sorted = this.#orders[name].sorted(this.#documents.count);
    const found: number[] = [];
    let left = range.offset;
    const take = (document: number) => {
      if (!within.has(document) || left-- > 0) return;
      found.push(document);
    };
    const lacking = name === "title" ? 0 : this.#lackingIn(name, sorted);
    const walk = (from: number, to: number, step: number) => {
      for (let at = from; at !== to && found.length < range.limit; at += step) take(sorted[at]!);
    };
    if (descending) walk(sorted.length - 1, lacking - 1, -1);
    else walk(lacking, sorted.length, 1);
    walk(0, lacking, 1);
    return found;
  }

  /** How many documents at the beginning of an order have nothing to be ordered by. */
  #lackingIn(name: Exclude<OrderName, "title">, sorted: Uint32Array): number {
    const keyOf = this.#keyOf(name);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keyOf(sorted[middle]!) === 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyOf(name: Exclude<OrderName, "title">): (document: number) => number {
    const { dates, added, lengths } = this.#documents.plain;
    if (name === "length") return (document) => lengthMinutes(lengths.at(document));
    const column = name === "added" ? added : dates;
    return (document) => column.at(document);
  }

  #numeric(): Record<Exclude<OrderName, "title">, Order> {
    const order = (name: Exclude<OrderName, "title">) => {
      const keyOf = this.#keyOf(name);
      const compare = (one: number, other: number) => keyOf(one) - keyOf(other) || one - other;
      return new Order((count) => sortBy(upTo(count), keyOf), compare);
    };
    return { added: order("added"), date: order("date"), length: order("length") };
  }

  /** By title, then by number: sorted by number first, since sorting keeps the order of what is equal. */
  #rankTitles(count: number): Uint32Array {
    const { titles, numbers } = this.#documents.plain;
    const [titleRanks, numberRanks] = [this.#keys.title.ranks(), this.#keys.number.ranks()];
    const byNumber = sortBy(upTo(count), (document) => numberRanks[numbers.at(document)]!);
    return sortBy(byNumber, (document) => titleRanks[titles.at(document)]!);
  }

  #compareTitles(one: number, other: number): number {
    const { titles, numbers } = this.#documents.plain;
    return (
      this.#keys.title.compare(titles.at(one), titles.at(other)) ||
      this.#keys.number.compare(numbers.at(one), numbers.at(other)) ||
      one - other
    );
  }
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

function upTo(count: number): Uint32Array {
  const documents = new Uint32Array(count);
  for (let document = 0; document < count; document++) documents[document] = document;
  return documents;
}

/** Keys while something is sorted; used again, since a large buffer is given back late. */
let scratch = new Float64Array(0);

/**
 * Sorts in place by whole numbers; what is equal keeps its order. Sorting one typed array of keys takes a tenth of
 * comparing documents.
 */
function sortBy(documents: Uint32Array, keyOf: (document: number) => number): Uint32Array {
  if (documents.length >= span) return documents.sort((one, other) => keyOf(one) - keyOf(other));
  if (scratch.length < documents.length) scratch = new Float64Array(documents.length);
  const keys = scratch.subarray(0, documents.length);
  for (let at = 0; at < keys.length; at++) keys[at] = keyOf(documents[at]!) * span + at;
  keys.sort();
  const places = documents.slice();
  for (let at = 0; at < keys.length; at++) documents[at] = places[keys[at]! % span]!;
  return documents;
}

/** The keys of names by number, and their places in order. */
class KeyList {
  #keys: readonly string[] = [];

  constructor(
    private readonly names: Names,
    private readonly kind: "title" | "number",
  ) {}

  compare(one: number, other: number): number {
    if (one === other) return 0;
    const keys = this.#current();
    return keys[one]! < keys[other]! ? -1 : 1;
  }

  /** The place of each name among all, by number. */
  ranks(): Uint32Array {
    const keys = this.#current();
    const sorted = Uint32Array.from(keys, (_, id) => id).sort((one, other) => (keys[one]! < keys[other]! ? -1 : 1));
    const ranks = new Uint32Array(keys.length);
    for (let place = 0; place < sorted.length; place++) ranks[sorted[place]!] = place;
    return ranks;
  }

  /** Numbers in titles count by their value; those of issues are folded so that they do. */
  #read(): readonly string[] {
    const keys = this.names.keys(this.kind);
    return this.kind === "title" ? keys.map((key) => titleOrder(key)) : keys;
  }

  #current(): readonly string[] {
    if (this.#keys.length !== this.names.size(this.kind)) this.#keys = this.#read();
    return this.#keys;
  }
}

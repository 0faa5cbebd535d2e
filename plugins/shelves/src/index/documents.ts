import { crc32 } from "node:zlib";
import { inSeconds } from "../browsing/facets.js";
import { Bits } from "../columns/bits.js";
import { ListColumn, SingleColumn } from "../columns/columns.js";
import { Numbers, type WholeNumbers } from "../columns/growing.js";
import { IdMap } from "../columns/id-map.js";
import type { NameKind, Names } from "../names/names.js";
import type { IndexedIssue } from "../thread/protocol.js";

export const singleKinds = ["publisher", "decade", "language", "age", "library", "type", "owned"] as const;
export const listKinds = ["format", "author", "artist", "narrator", "genre", "character", "team", "arc"] as const;
export type SingleKind = (typeof singleKinds)[number];
export type ListKind = (typeof listKinds)[number];

/** The plain columns of documents. */
export const plainColumns = [
  "ids",
  "series",
  "titles",
  "numbers",
  "hashes",
  "dates",
  "added",
  "lengths",
  "entries",
] as const;
export type PlainColumn = (typeof plainColumns)[number];

/** The columns as they are stored. */
export interface StoredDocuments {
  readonly plain: Readonly<Record<PlainColumn, WholeNumbers>>;
  readonly single: Readonly<Record<SingleKind, WholeNumbers>>;
  readonly ends: Readonly<Record<ListKind, WholeNumbers>>;
  readonly items: Readonly<Record<ListKind, WholeNumbers>>;
  readonly hidden: WholeNumbers;
}

const byName = <Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;

/** What names and titles of an issue are put into. */
export interface PuttingParts {
  readonly names: Names;
  readonly finder: {
    /**
     * @param former - The entry that the issue had, 0 for none
     * @returns its entry now, from 1; 0 where it has no title
     */
    put(issue: IndexedIssue, former: number): number;
  };
}

/**
 * The issues of the index as columns of numbers. A document is never changed: an issue that changed becomes another
 * document, and the earlier one is dead until {@link compacted}.
 */
export class Documents {
  readonly plain: Readonly<Record<PlainColumn, Numbers>>;
  readonly single: Readonly<Record<SingleKind, SingleColumn>>;
  readonly lists: Readonly<Record<ListKind, ListColumn>>;
  readonly #byId: IdMap;
  #alive: Bits;
  #hidden: Bits;
  #dead = 0;
  /** Grows with every change. */
  generation = 0;

  constructor(stored?: StoredDocuments) {
    const numbers = (values?: WholeNumbers) => new Numbers(values);
    this.plain = byName(plainColumns, (name) => numbers(stored?.plain[name]));
    this.single = byName(singleKinds, (kind) => new SingleColumn(numbers(stored?.single[kind])));
    this.lists = byName(listKinds, (kind) => new ListColumn(numbers(stored?.ends[kind]), numbers(stored?.items[kind])));
    const count = this.count;
    this.#alive = Bits.all(count);
    this.#hidden = new Bits(count, stored && Uint32Array.from(stored.hidden));
    this.#byId = new IdMap(count);
    for (let document = 0; document < count; document++) this.#byId.set(this.plain.ids.at(document), document);
  }

  /** With the dead. */
  get count(): number {
    return this.plain.ids.length;
  }

  get size(): number {
    return this.count - this.#dead;
  }

  /** Whether so many are dead that {@link compacted} is worth its time. */
  get isWasteful(): boolean {
    return this.#dead > 20_000 && this.#dead * 4 > this.count;
  }

  isAlive(document: number): boolean {
    return this.#alive.has(document);
  }

  find(issueId: number): number | undefined {
    const document = this.#byId.get(issueId);
    return document !== undefined && this.#alive.has(document) ? document : undefined;
  }

  /** What a viewer may know of; a copy. */
  visible(seesRestricted: boolean): Bits {
    const bits = this.#alive.grown(this.count);
    return seesRestricted ? bits : bits.andNot(this.#hidden);
  }

  /** @returns the document of the issue, which is another one if anything changed */
  put(issue: IndexedIssue, { names, finder }: PuttingParts): number {
    const hash = crc32(JSON.stringify(issue));
    const known = this.find(issue.id);
    if (known !== undefined && this.plain.hashes.at(known) === hash) return known;
    if (known !== undefined) this.remove(known);
    const entry = finder.put(issue, known === undefined ? 0 : this.plain.entries.at(known));
    const document = this.count;
    this.#makeRoom(document + 1);
    this.#append(issue, names);
    this.plain.hashes.push(hash);
    this.plain.entries.push(entry);
    this.#alive.add(document);
    if (issue.hidden) this.#hidden.add(document);
    this.#byId.set(issue.id, document);
    this.generation++;
    return document;
  }

  remove(document: number): void {
    if (!this.#alive.has(document)) return;
    this.#alive.remove(document);
    this.#dead++;
    this.generation++;
  }

  /** The same documents without the dead. */
  compacted(): Documents {
    const kept: Documents = new Documents();
    kept.#makeRoom(this.size);
    this.#alive.forEach((document) => this.#copy(document, kept));
    kept.generation = this.generation + 1;
    return kept;
  }

  /** The columns, which must have no dead documents. */
  stored(): StoredDocuments {
    return {
      plain: byName(plainColumns, (name) => this.plain[name].values),
      single: byName(singleKinds, (kind) => this.single[kind].numbers.values),
      ends: byName(listKinds, (kind) => this.lists[kind].ends.values),
      items: byName(listKinds, (kind) => this.lists[kind].items.values),
      hidden: this.#hidden.words.subarray(0, (this.count + 31) >>> 5),
    };
  }

  #append(issue: IndexedIssue, names: Names): void {
    const { plain } = this;
    plain.ids.push(issue.id);
    plain.series.push(issue.seriesId);
    plain.titles.push(names.add("title", issue.title));
    plain.numbers.push(names.add("number", issue.number));
    plain.dates.push(issue.date);
    plain.added.push(issue.addedAt);
    plain.lengths.push(issue.seconds > 0 ? inSeconds + issue.seconds : issue.pages);
    const numbersOf = (kind: SingleKind | ListKind) => namesOf(kind, issue, names);
    for (const kind of singleKinds) this.single[kind].push(numbersOf(kind)[0] ?? 0);
    for (const kind of listKinds) this.lists[kind].push(numbersOf(kind));
  }

  #copy(document: number, to: Documents): void {
    const place = to.count;
    for (const name of plainColumns) to.plain[name].push(this.plain[name].at(document));
    for (const kind of singleKinds) to.single[kind].push(this.single[kind].numbers.at(document));
    for (const kind of listKinds) {
      const values: number[] = [];
      this.lists[kind].read(document, (value) => void values.push(value));
      to.lists[kind].push(values);
    }
    to.#alive.add(place);
    if (this.#hidden.has(document)) to.#hidden.add(place);
    to.#byId.set(this.plain.ids.at(document), place);
  }

  #makeRoom(count: number): void {
    if (count <= this.#alive.size) return;
    const room = Math.max(1024, count + (count >>> 2));
    this.#alive = this.#alive.grown(room);
    this.#hidden = this.#hidden.grown(room);
  }
}

function namesOf(kind: NameKind & (SingleKind | ListKind), issue: IndexedIssue, names: Names): readonly number[] {
  const labels = issue.values[kind];
  if (labels === undefined || labels.length === 0) return [];
  if (labels.length === 1) return [names.add(kind, labels[0]!)].filter((id) => id !== 0);
  return [...new Set(labels.map((label) => names.add(kind, label)))].filter((id) => id !== 0);
}

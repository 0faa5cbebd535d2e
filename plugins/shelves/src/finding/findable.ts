import { wordsOfTitle } from "@longbox/collection/contract";
import { Numbers, type WholeNumbers } from "../columns/growing.js";
import { Words, type FittingWord } from "./words.js";

/** What can be found. The place in the list is stored in snapshots: append only. */
export const findableKinds = [
  "series",
  "issue",
  "arc",
  "character",
  "author",
  "artist",
  "narrator",
  "team",
  "publisher",
] as const;
export type FindableKind = (typeof findableKinds)[number];
export const namedKinds = findableKinds.slice(2) as ReadonlyArray<Exclude<FindableKind, "series" | "issue">>;

export interface FindQuestion {
  /** Folded. */
  readonly words: readonly string[];
  /** The number of an issue of a series that has the words. */
  readonly number: string | undefined;
  /** Of each kind. */
  readonly limit: number;
  readonly seesRestricted: boolean;
}

export interface Found {
  readonly kind: FindableKind;
  /** Of a series or an issue. */
  readonly id: number;
  /** Of anything else. */
  readonly label: string;
  readonly score: number;
}

const columns = [
  // By entry.
  ...(["kinds", "references", "hashes", "lengths", "starts"] as const),
  // By word.
  ...(["heads", "counts"] as const),
  // By use of a word in an entry; those of an entry follow each other.
  ...(["uses", "next", "places"] as const),
] as const;
type ColumnName = (typeof columns)[number];

/** As it is stored. */
export interface StoredFindable {
  readonly words: string;
  readonly columns: Readonly<Record<ColumnName, WholeNumbers>>;
}
export const findableColumns = columns;

/** The place of a word beyond the title, such as a year; and of all words behind the seventh. */
export const lastPlace = 7;
const placeBits = 3;
const none = 0;

/** What is entered: a title, and words by which it is found as well. */
export interface Findable {
  readonly kind: FindableKind;
  /** The id of the series or issue, or the number of the name. */
  readonly reference: number;
  readonly hash: number;
  readonly title: string;
  readonly others?: readonly string[];
}

/**
 * Titles and names by their words. Entries are numbers from 0; they are only added, and those that are out of date are
 * left out when entries are asked for. The texts themselves are not kept: each word has a list of the entries with it,
 * linked through flat columns, so that a million titles take some 40 MB.
 */
export class FindableTexts {
  readonly words = new Words();
  readonly #columns: Readonly<Record<ColumnName, Numbers>>;

  constructor(stored?: StoredFindable) {
    for (const word of stored?.words === "" ? [] : (stored?.words.split("\n") ?? [])) this.words.add(word);
    this.#columns = Object.fromEntries(columns.map((name) => [name, new Numbers(stored?.columns[name])])) as Record<
      ColumnName,
      Numbers
    >;
  }

  get count(): number {
    return this.#columns.kinds.length;
  }

  add({ kind, reference, hash, title, others = [] }: Findable): number {
    const { kinds, references, hashes, lengths, starts, uses } = this.#columns;
    const entry = this.count;
    const words = wordsOfTitle(title);
    kinds.push(findableKinds.indexOf(kind));
    references.push(reference);
    hashes.push(hash);
    lengths.push(words.length);
    starts.push(uses.length);
    for (const [place, word] of words.entries()) this.#link(word, entry, Math.min(place, lastPlace));
    for (const word of others) this.#link(word, entry, lastPlace);
    return entry;
  }

  kindOf(entry: number): FindableKind {
    return findableKinds[this.#columns.kinds.at(entry)]!;
  }

  referenceOf(entry: number): number {
    return this.#columns.references.at(entry);
  }

  hashOf(entry: number): number {
    return this.#columns.hashes.at(entry);
  }

  /** How many words the title has. */
  lengthOf(entry: number): number {
    return this.#columns.lengths.at(entry);
  }

  /** How many entries have the word. */
  countOf(word: number): number {
    const { counts } = this.#columns;
    return word < counts.length ? counts.at(word) : 0;
  }

  /** Calls for each word of an entry, and its place in the title. */
  forEachOf(entry: number, visit: (word: number, place: number) => void): void {
    const { starts, uses, places } = this.#columns;
    const end = entry + 1 < starts.length ? starts.at(entry + 1) : uses.length;
    for (let at = starts.at(entry); at < end; at++) visit(uses.at(at), places.at(at) & lastPlace);
  }

  /** Calls for each entry with the word, and its place in the title. */
  forEachWith({ word }: FittingWord, visit: (entry: number, place: number) => void): void {
    const { heads, next, places } = this.#columns;
    if (word >= heads.length) return;
    const [following, packed] = [next.values, places.values];
    for (let at = heads.at(word); at !== none; at = following[at - 1]!) {
      const both = packed[at - 1]!;
      visit(both >>> placeBits, both & lastPlace);
    }
  }

  stored(): StoredFindable {
    const stored = columns.map((name) => [name, this.#columns[name].values] as const);
    return {
      words: this.words.all.join("\n"),
      columns: Object.fromEntries(stored) as Record<ColumnName, WholeNumbers>,
    };
  }

  #link(text: string, entry: number, place: number): void {
    const { heads, counts, uses, next, places } = this.#columns;
    const word = this.words.add(text);
    for (; heads.length <= word; counts.push(0)) heads.push(none);
    counts.set(word, counts.at(word) + 1);
    uses.push(word);
    next.push(heads.at(word));
    places.push((entry << placeBits) | place);
    heads.set(word, next.length);
  }
}

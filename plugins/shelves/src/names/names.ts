import { foldIssueNumber } from "@longbox/collection/contract";
import { foldText, foldTitle } from "@longbox/sdk/light";
import { SqlJsNames } from "./sqljs-names.js";

/** Everything that has names. The place in the list is stored in snapshots: append only. */
export const nameKinds = [
  "title",
  "number",
  "publisher",
  "decade",
  "language",
  "age",
  "library",
  "type",
  "owned",
  "format",
  "author",
  "artist",
  "narrator",
  "genre",
  "character",
  "team",
  "arc",
] as const;
export type NameKind = (typeof nameKinds)[number];

function keyOf(kind: NameKind, label: string): string {
  if (kind === "title") return foldTitle(label);
  return kind === "number" ? foldIssueNumber(label) : foldText(label);
}

/** How many labels are kept. */
const mostLabels = 20_000;
const letterPattern = /^\p{L}/u;

/**
 * Numbers for names. Spellings that fold to the same text are one name. How names are spelled stays in memory once
 * seen, so that only a name that is new is folded and looked up.
 */
export class Names {
  readonly #stored: SqlJsNames;
  readonly #spellings = new Map<NameKind, Map<string, number>>();
  readonly #labels = new Map<number, string>();
  readonly #sizes = new Map<NameKind, number>();

  private constructor(stored: SqlJsNames) {
    this.#stored = stored;
    for (const [at, kind] of nameKinds.entries()) {
      this.#spellings.set(kind, new Map());
      this.#sizes.set(kind, stored.count(at));
    }
  }

  static async open(bytes?: Uint8Array): Promise<Names> {
    return new Names(await SqlJsNames.open(bytes));
  }

  /** Adding names takes a third of the time in such a block. */
  together<Result>(work: () => Result): Result {
    return this.#stored.together(work);
  }

  /** How many numbers there are, with 0, which stands for having none. */
  size(kind: NameKind): number {
    return this.#sizes.get(kind)! + 1;
  }

  /** The number of a name; a name that is new is added. 0 where nothing of the label is left by folding. */
  add(kind: NameKind, label: string): number {
    const spellings = this.#spellings.get(kind)!;
    const known = spellings.get(label);
    if (known !== undefined) return known;
    const id = this.find(kind, label) ?? this.#append(kind, label);
    spellings.set(label, id);
    return id;
  }

  find(kind: NameKind, label: string): number | undefined {
    const key = keyOf(kind, label);
    return key === "" ? 0 : this.#stored.find(nameKinds.indexOf(kind), key);
  }

  /** As it was first spelled. The labels that were shown last are kept, since the same are shown again and again. */
  label(kind: NameKind, id: number): string {
    const place = nameKinds.indexOf(kind);
    const key = id * nameKinds.length + place;
    const known = this.#labels.get(key);
    if (known !== undefined) return known;
    const label = this.#stored.label(place, id) ?? "";
    if (this.#labels.size >= mostLabels) this.#labels.clear();
    this.#labels.set(key, label);
    return label;
  }

  keys(kind: NameKind): string[] {
    return ["", ...this.#stored.keys(nameKinds.indexOf(kind))];
  }

  /** Names that contain a text, by name. @param letter - the first letter, `#` for names that begin with none */
  search(kind: NameKind, text: string, letter?: string): Array<{ id: number; label: string }> {
    const first = letter === undefined || letter === "#" ? letter : foldText(letter).toUpperCase();
    return this.#stored.search(nameKinds.indexOf(kind), keyOf(kind, text), first);
  }

  export(): Uint8Array {
    return this.#stored.export();
  }

  close(): void {
    this.#stored.close();
  }

  #append(kind: NameKind, label: string): number {
    const key = keyOf(kind, label);
    const id = this.size(kind);
    const [first = ""] = key;
    const letter = letterPattern.test(first) ? first.toUpperCase() : "#";
    this.#stored.add(nameKinds.indexOf(kind), { id, key, label: label.trim(), letter });
    this.#sizes.set(kind, id);
    return id;
  }
}

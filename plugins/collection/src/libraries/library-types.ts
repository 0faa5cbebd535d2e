import type { Contributions } from "@longbox/sdk";
import type { DescribedLibraryType, LibraryTypeContribution, LibraryTypeWords } from "../contract.js";

/** The words for comics. */
const comicWords: LibraryTypeWords = {
  unit: { one: "issue", other: "issues" },
  length: "pages",
  named: "by-number",
};

const ownTypes: readonly DescribedLibraryType[] = [
  { id: "comic", label: "Comics", words: comicWords },
  { id: "manga", label: "Manga", words: { ...comicWords, unit: { one: "chapter", other: "chapters" } } },
];

/** The types that libraries can have: `comic`, `manga`, and what other plugins bring. */
export class LibraryTypeList {
  readonly #brought: Contributions<LibraryTypeContribution>;
  #known: readonly LibraryTypeContribution[] | undefined;
  #words: ReadonlyMap<string, LibraryTypeWords> = new Map();
  #version = 0;

  constructor(brought: Contributions<LibraryTypeContribution>) {
    this.#brought = brought;
  }

  list(): DescribedLibraryType[] {
    const brought = this.#brought.all().filter(({ id }) => !ownTypes.some((own) => own.id === id));
    return [...ownTypes, ...brought.map(({ id, label, words = comicWords }) => ({ id, label, words }))];
  }

  /** The words of a type; those of comics for a type whose plugin is off. */
  wordsOf(type: string): LibraryTypeWords {
    this.#look();
    return this.#words.get(type) ?? comicWords;
  }

  /** Another number when the words of types may have changed. */
  get version(): number {
    this.#look();
    return this.#version;
  }

  #look(): void {
    const brought = this.#brought.all();
    if (brought === this.#known) return;
    this.#words = new Map(this.list().map(({ id, words }) => [id, words]));
    this.#known = brought;
    this.#version += 1;
  }
}

import type { PageEntry } from "../archives/archive.js";
import type { HiddenPageTable } from "./tables.js";

interface HiddenOf {
  readonly pages: number;
  readonly hidden: ReadonlyMap<number, number>;
  readonly name: string;
}

/**
 * The pages that are not shown, by file. A file that was rewritten is known by its path, and one that was moved by its
 * validator; pages are hidden only where the file still has as many, and they are as large.
 */
export class HiddenPages {
  #byPath = new Map<string, HiddenOf>();
  #byValidator = new Map<string, HiddenOf>();

  /** Takes these rows in place of the former ones. */
  replace(rows: readonly HiddenPageTable[]): void {
    this.#byPath = new Map();
    this.#byValidator = new Map();
    for (const [path, some] of Map.groupBy(rows, (row) => row.path)) {
      const { pages, validator } = some[0]!;
      const hidden = new Map(some.map(({ page, size }) => [page, size]));
      const of = { pages, hidden, name: [...hidden.keys()].toSorted((one, other) => one - other).join("_") };
      this.#byPath.set(path, of);
      this.#byValidator.set(validator, of);
    }
  }

  /** The validator of a file's shown pages. */
  validatorOf(path: string, validator: string): string {
    const of = this.#find(path, validator);
    return of ? `${validator}~${of.name}` : validator;
  }

  /** The shown pages of an open file in order, as numbers of its own pages; undefined for all of them. */
  shownOf(path: string, validator: string, pages: readonly PageEntry[]): readonly number[] | undefined {
    const of = this.#find(path, validator);
    if (!of || of.pages !== pages.length) return undefined;
    const isHidden = ({ sizeBytes }: PageEntry, page: number) => of.hidden.get(page) === sizeBytes;
    return pages.flatMap((entry, page) => (isHidden(entry, page) ? [] : [page]));
  }

  #find(path: string, validator: string): HiddenOf | undefined {
    return this.#byPath.size === 0 ? undefined : (this.#byPath.get(path) ?? this.#byValidator.get(validator));
  }
}

/** The file's own validator in one of {@link HiddenPages.validatorOf}. */
export function ownValidator(validator: string): string {
  const end = validator.indexOf("~");
  return end < 0 ? validator : validator.slice(0, end);
}

import type { SeriesRow } from "@longbox/collection/api";
import type { Shell } from "../../shell/shell.js";

const pageSize = 60;

/** A long list of series, of which only the pages that were shown are loaded. */
export class SeriesList {
  readonly query: string;
  total: number | undefined;
  error: unknown;
  onChanged: () => void = () => undefined;
  readonly #shell: Shell;
  readonly #pages = new Map<number, readonly SeriesRow[]>();
  readonly #asked = new Set<number>();
  #stale = new Set<number>();

  constructor(shell: Shell, query: string) {
    this.#shell = shell;
    this.query = query;
  }

  at(index: number): SeriesRow | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** The loaded ones, in order. */
  arrived(): readonly SeriesRow[] {
    return [...this.#pages].sort(([one], [other]) => one - other).flatMap(([, rows]) => rows);
  }

  /** Resolves when the whole list is loaded. @throws {ApiFailure} */
  async all(): Promise<void> {
    const pages = Math.ceil((this.total ?? 0) / pageSize);
    for (let page = 0; page < pages; page++) {
      if (!this.#pages.has(page)) await this.#fetch(page);
      if (this.error !== undefined) throw this.error;
    }
  }

  /** Loads what is missing of a range; `last` is exclusive. */
  need(first: number, last: number): void {
    for (let page = Math.floor(first / pageSize); page <= Math.floor(Math.max(first, last - 1) / pageSize); page++) {
      if ((!this.#pages.has(page) || this.#stale.has(page)) && !this.#asked.has(page)) void this.#fetch(page);
    }
  }

  /** Marks the list as outdated. It is kept until the new one is loaded. */
  refresh(first: number, last: number): void {
    this.#stale = new Set(this.#pages.keys());
    this.need(first, last);
  }

  async #fetch(page: number): Promise<void> {
    this.#asked.add(page);
    this.#stale.delete(page);
    const separator = this.query === "" ? "" : "&";
    try {
      const answer = await this.#shell.list<SeriesRow>(
        `/api/collection?${this.query}${separator}limit=${pageSize}&offset=${page * pageSize}`,
      );
      this.#pages.set(page, answer.items);
      this.total = answer.total;
      this.error = undefined;
    } catch (thrown) {
      this.error = thrown;
    }
    this.#asked.delete(page);
    this.onChanged();
  }
}

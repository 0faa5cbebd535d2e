import type { CollectionDatabase, LibraryTable } from "../tables.js";

/** The rows of the libraries, in their order, remembered until anything is written: almost every list asks for them. */
export class LibraryRows {
  readonly #database: CollectionDatabase;
  readonly #dataVersion: () => number;
  #known: { readonly version: number; readonly rows: Promise<readonly LibraryTable[]> } | undefined;

  constructor(database: CollectionDatabase, dataVersion: () => number) {
    this.#database = database;
    this.#dataVersion = dataVersion;
  }

  read(): Promise<readonly LibraryTable[]> {
    const version = this.#dataVersion();
    if (this.#known?.version === version) return this.#known.rows;
    const rows = this.#database.selectFrom("library").selectAll().orderBy("sort_order").orderBy("id").execute();
    const known = (this.#known = { version, rows });
    rows.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return rows;
  }
}

import type { PlacedFile, ReadFile } from "../contract.js";
import type { Changes } from "../changes.js";
import { recountIssues, recountSeries } from "../counting/counters.js";
import { IssuePlacing } from "./placing-issues.js";
import { PlacingBatch } from "./placing-batch.js";
import { SeriesPlacing } from "./placing-series.js";
import { WorksByTitle } from "./same-work.js";
import { writeFiles } from "./placing-files.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionDatabase } from "../tables.js";

/** Lets other requests be answered between the steps of a large batch; the transaction stays open meanwhile. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Finds or makes the series and issues that files hold, and records the files: one transaction for each batch. */
export class Placing {
  readonly #database: CollectionDatabase;
  readonly #search: SearchIndex;
  readonly #isByTitle: (libraryType: string) => boolean;
  readonly #changes: Changes;

  /** @param parts.isByTitle - whether the works of a library type are known by their titles */
  constructor(
    database: CollectionDatabase,
    parts: { readonly search: SearchIndex; readonly isByTitle: (libraryType: string) => boolean },
    changes: Changes,
  ) {
    this.#database = database;
    this.#search = parts.search;
    this.#isByTitle = parts.isByTitle;
    this.#changes = changes;
  }

  async placeFiles(files: readonly ReadFile[]): Promise<readonly PlacedFile[]> {
    if (files.length === 0) return [];
    const outcome = await this.#database.transaction().execute(async (transaction) => {
      const batch = await PlacingBatch.load(transaction, files);
      await breathe();
      const works = await WorksByTitle.load(transaction, batch, this.#isByTitle);
      const series = await new SeriesPlacing(transaction, batch, works).place();
      await batch.loadIssues(transaction, series.seriesOf.values());
      await breathe();
      const issues = await new IssuePlacing(transaction, { batch, works }, series.seriesOf).place();
      await breathe();
      const written = await writeFiles(transaction, batch, issues);
      await breathe();
      const gained = await recountIssues(transaction, written.issueIds, issues.made);
      await breathe();
      await recountSeries(transaction, written.seriesIds);
      await this.#search.refresh(transaction, new Set([...series.textChanged, ...issues.textChanged]));
      return { ...written, gained };
    });
    this.#changes.announceSeries(outcome.seriesIds);
    this.#changes.announceOwned(outcome.gained);
    return outcome.placed;
  }
}

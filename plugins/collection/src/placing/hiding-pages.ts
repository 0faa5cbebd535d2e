import type { Changes } from "../changes.js";
import { recountIssues, recountSeries } from "../counting/counters.js";
import type { CollectionDatabase } from "../tables.js";

/** Counts the pages of files that readers do not show. */
export class HidingPages {
  readonly #database: CollectionDatabase;
  readonly #changes: Changes;

  constructor(database: CollectionDatabase, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
  }

  /** Files that are not known are left out. */
  async hide(files: ReadonlyArray<{ readonly path: string; readonly hidden: number }>): Promise<void> {
    const touched = await this.#database.transaction().execute(async (transaction) => {
      const issues = new Set<number>();
      const series = new Set<number>();
      for (const { path, hidden } of files) {
        const rows = await transaction
          .updateTable("file")
          .set({ hidden_pages: hidden })
          .where("path", "=", path)
          .where("hidden_pages", "<>", hidden)
          .where("pages", ">", hidden)
          .returning(["issue_id", "series_id"])
          .execute();
        for (const row of rows) {
          issues.add(row.issue_id);
          series.add(row.series_id);
        }
      }
      await recountIssues(transaction, [...issues]);
      await recountSeries(transaction, [...series]);
      return [...series];
    });
    this.#changes.announceSeries(touched);
  }
}

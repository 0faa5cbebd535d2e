import { recountIssues, recountSeries } from "./counters.js";
import type { SearchIndex } from "./search-index.js";
import type { CollectionDatabase } from "./tables.js";

export interface ReindexProgress {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Builds the search index anew and counts everything anew, some series at a time, while the server serves. */
export async function reindex(database: CollectionDatabase, search: SearchIndex, control: ReindexProgress, what: { counters: boolean }): Promise<number> {
  const { total } = await database.selectFrom("series").select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  let done = 0;
  for (let afterId = 0; !control.signal.aborted; ) {
    const rows = await database.selectFrom("series").select("id").where("id", ">", afterId).orderBy("id").limit(200).execute();
    if (rows.length === 0) break;
    const ids = rows.map((row) => row.id);
    await database.transaction().execute(async (transaction) => {
      if (what.counters) {
        const issues = await transaction.selectFrom("issue").select("id").where("series_id", "in", ids).execute();
        await recountIssues(transaction, issues.map((issue) => issue.id));
        await recountSeries(transaction, ids);
      }
      await search.refresh(transaction, ids);
    });
    afterId = ids.at(-1) as number;
    done += ids.length;
    control.progress(done, total);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return done;
}

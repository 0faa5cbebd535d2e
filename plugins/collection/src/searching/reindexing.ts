import { z } from "zod";
import type { PluginStorage } from "@longbox/sdk";
import { recountIssues, recountSeries } from "../counting/counters.js";
import type { SearchIndex } from "./search-index.js";
import type { CollectionDatabase } from "../tables.js";

export interface ReindexProgress {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

const indexedSchema = z.object({ complete: z.boolean() }).default({ complete: false });

/**
 * Fills a new search index, or one whose filling was interrupted. The document records when it is complete, because an index
 * that was started looks like a complete one.
 */
export async function completeIndex(
  storage: PluginStorage,
  { database, index, isNew }: { database: CollectionDatabase; index: SearchIndex; isNew: boolean },
  signal: AbortSignal,
): Promise<void> {
  const indexed = await storage.document("search-index", indexedSchema);
  if (indexed.read().complete && !isNew) return;
  if (indexed.read().complete) await indexed.update(() => ({ complete: false }));
  await reindex({ database, search: index }, { signal, progress: () => {} }, { counters: false });
  if (!signal.aborted) await indexed.update(() => ({ complete: true }));
}

/** Rebuilds the search index and the counters, some series at a time, while the server serves. */
export async function reindex(
  { database, search }: { database: CollectionDatabase; search: SearchIndex },
  control: ReindexProgress,
  what: { counters: boolean },
): Promise<number> {
  const { total } = await database
    .selectFrom("series")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  let done = 0;
  for (let afterId = 0; !control.signal.aborted;) {
    const rows = await database
      .selectFrom("series")
      .select("id")
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(200)
      .execute();
    if (rows.length === 0) break;
    const ids = rows.map((row) => row.id);
    await database.transaction().execute(async (transaction) => {
      if (what.counters) {
        const issues = await transaction.selectFrom("issue").select("id").where("series_id", "in", ids).execute();
        await recountIssues(
          transaction,
          issues.map((issue) => issue.id),
        );
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

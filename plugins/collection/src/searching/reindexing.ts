import { z } from "zod";
import type { PluginStorage } from "@longbox/sdk";
import { recountIssues, recountSeries } from "../counting/counters.js";
import type { SearchIndex } from "./search-index.js";
import type { CollectionDatabase } from "../tables.js";

export interface ReindexProgress {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** So many series are put into an index before the plugin serves; others follow while it does. */
const atOnce = 2_000;
const indexedSchema = z
  .object({ complete: z.boolean(), afterId: z.number().default(0) })
  .default({ complete: false, afterId: 0 });

interface IndexParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
}

/**
 * Fills a new search index, or one whose filling was interrupted. A document records how far it is, because an index
 * that was started looks like a complete one.
 * @returns settles when the index is complete, or the signal is aborted; undefined when it is complete already. A large
 * library takes longer than a plugin may take to start
 */
export async function completeIndex(
  storage: PluginStorage,
  { isNew, ...parts }: IndexParts & { readonly isNew: boolean },
  signal: AbortSignal,
): Promise<{ readonly rest: Promise<void> | undefined }> {
  const indexed = await storage.document("search-index", indexedSchema);
  if (isNew) await indexed.update(() => ({ complete: false, afterId: 0 }));
  const fillMore = async () => {
    const { afterId } = indexed.read();
    const lastId = await fill(parts, { afterId, most: atOnce }, signal);
    if (!signal.aborted) await indexed.update(() => ({ complete: lastId === undefined, afterId: lastId ?? 0 }));
  };
  const fillAll = async () => {
    while (!indexed.read().complete && !signal.aborted) await fillMore();
  };
  if (!indexed.read().complete) await fillMore();
  return { rest: indexed.read().complete ? undefined : fillAll() };
}

/** @returns the last series that was put into the index, or undefined when it was the last of all */
async function fill(
  parts: IndexParts,
  { afterId, most }: { readonly afterId: number; readonly most: number },
  signal: AbortSignal,
): Promise<number | undefined> {
  let [lastId, left] = [afterId, most];
  while (left > 0 && !signal.aborted) {
    const ids = await seriesAfter(parts.database, lastId);
    if (ids.length === 0) return undefined;
    await refresh(parts, ids, { counters: false });
    lastId = ids.at(-1) as number;
    left -= ids.length;
  }
  return lastId;
}

/** Rebuilds the search index and the counters, some series at a time, while the server serves. */
export async function reindex(parts: IndexParts, control: ReindexProgress): Promise<number> {
  const { total } = await parts.database
    .selectFrom("series")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  let done = 0;
  for (let afterId = 0; !control.signal.aborted;) {
    const ids = await seriesAfter(parts.database, afterId);
    if (ids.length === 0) break;
    await refresh(parts, ids, { counters: true });
    afterId = ids.at(-1) as number;
    done += ids.length;
    control.progress(done, total);
  }
  return done;
}

async function seriesAfter(database: CollectionDatabase, id: number): Promise<number[]> {
  const rows = await database.selectFrom("series").select("id").where("id", ">", id).orderBy("id").limit(200).execute();
  return rows.map((row) => row.id);
}

async function refresh({ database, search }: IndexParts, ids: number[], what: { counters: boolean }): Promise<void> {
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
  await new Promise<void>((resolve) => setImmediate(resolve));
}

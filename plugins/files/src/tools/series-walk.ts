import { systemViewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Issue, Series } from "@longbox/collection/contract";

const seriesAtOnce = 100;

/** Every tracked series, a few at a time. @throws what the signal says once it aborts */
export async function* eachSeries(
  collection: CollectionContract,
  signal: AbortSignal,
): AsyncGenerator<{ series: Series; done: number; total: number }> {
  let done = 0;
  for (let offset = 0; ; offset += seriesAtOnce) {
    const { items, total } = await collection.listSeries({ limit: seriesAtOnce, offset }, systemViewer);
    for (const series of items) {
      signal.throwIfAborted();
      yield { series, done: done++, total };
    }
    if (items.length < seriesAtOnce) return;
  }
}

/** The files of a series' issues. */
export async function* eachHolding(
  collection: CollectionContract,
  seriesId: number,
): AsyncGenerator<{ issue: Issue; holding: Holding }> {
  for (const issue of await collection.listIssues(seriesId, systemViewer)) {
    if (!issue.owned && !issue.corrupt) continue;
    for (const holding of await collection.listHoldings(issue.id)) yield { issue, holding };
  }
}

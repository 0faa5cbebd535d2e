import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { moveMarks } from "./owned-records.js";
import { moveProgress } from "./progress-records.js";
import type { ReaderTables } from "./tables.js";

/** How many issues are asked for at once. */
const batch = 200;

/** Hands everything that users have under one issue to another that it turned out to be. Where both hold something, it is joined. */
export async function moveIssue(database: Kysely<ReaderTables>, library: CollectionContract, { from, to }: { from: number; to: number }): Promise<void> {
  const [issue] = await library.findIssues([to], systemViewer);
  await database.transaction().execute(async (transaction) => {
    await moveProgress(transaction, { from, to, seriesId: issue?.seriesId });
    await moveMarks(transaction, { from, to });
  });
}

/** Issues may have become others while this plugin was not there to hear of it. Answers how many had. */
export async function followMissedMoves(database: Kysely<ReaderTables>, library: CollectionContract, signal: AbortSignal): Promise<number> {
  const ids = await keptIssues(database);
  let moved = 0;
  for (let start = 0; start < ids.length && !signal.aborted; start += batch) {
    const asked = ids.slice(start, start + batch);
    const known = new Set((await library.findIssues(asked, systemViewer)).map((issue) => issue.id));
    for (const from of asked.filter((id) => !known.has(id))) {
      const [issue] = await library.findIssues([from], systemViewer);
      if (!issue || signal.aborted) continue;
      await moveIssue(database, library, { from, to: issue.id });
      moved++;
    }
  }
  return moved;
}

async function keptIssues(database: Kysely<ReaderTables>): Promise<number[]> {
  const ids = new Set<number>();
  for (const table of ["progress", "bookmark", "later"] as const) {
    for (const row of await database.selectFrom(table).select("issue_id").distinct().execute()) ids.add(row.issue_id);
  }
  return [...ids];
}

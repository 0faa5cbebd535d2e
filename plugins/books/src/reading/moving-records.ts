import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { BookTables } from "../tables.js";

/** How many issues are looked up at once. */
const batch = 500;
const tables = ["bookmark", "place"] as const;

/** Moves what users left in one book to the book that it was merged into. @returns the affected users */
export async function moveIssue(
  database: Kysely<BookTables>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly number[]> {
  return database.transaction().execute(async (transaction) => {
    const moved = await transaction
      .updateTable("bookmark")
      .set({ issue_id: to })
      .where("issue_id", "=", from)
      .returning("user_id")
      .execute();
    const places = await transaction.deleteFrom("place").where("issue_id", "=", from).returningAll().execute();
    for (const place of places)
      await transaction
        .insertInto("place")
        .values({ ...place, issue_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return [...new Set([...moved, ...places].map(({ user_id }) => user_id))];
  });
}

/** Applies merges that happened while this plugin was not running. @returns the affected users */
export async function followMissedMoves(
  database: Kysely<BookTables>,
  library: CollectionContract,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const users = new Set<number>();
  const ids = new Set<number>();
  for (const table of tables)
    for (const { issue_id } of await database.selectFrom(table).select("issue_id").distinct().execute())
      ids.add(issue_id);
  const all = [...ids];
  for (let start = 0; start < all.length && !signal.aborted; start += batch) {
    const asked = all.slice(start, start + batch);
    const known = new Set((await library.findIssues(asked, systemViewer)).map(({ id }) => id));
    for (const from of asked.filter((id) => !known.has(id))) {
      const [issue] = await library.findIssues([from], systemViewer);
      if (!issue || signal.aborted) continue;
      for (const userId of await moveIssue(database, { from, to: issue.id })) users.add(userId);
    }
  }
  return [...users];
}

export async function forgetUser(database: Kysely<BookTables>, userId: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of tables) await transaction.deleteFrom(table).where("user_id", "=", userId).execute();
  });
}

/** Moves everything of one user to another; where both have a place, that of the new owner is kept. */
export async function handOver(
  database: Kysely<BookTables>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.updateTable("bookmark").set({ user_id: to }).where("user_id", "=", from).execute();
    const places = await transaction.deleteFrom("place").where("user_id", "=", from).returningAll().execute();
    for (const place of places)
      await transaction
        .insertInto("place")
        .values({ ...place, user_id: to })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  });
}

import { sql } from "kysely";
import { slices, type CollectionTransaction } from "./tables.js";

/** The library of a series; one without falls back to the default library, the first of all. */
const libraryOf = sql`coalesce(series.library_id, (select first.id from library as first order by first.sort_order, first.id limit 1))`;
const hidden = sql<number>`max(restricted, coalesce((select library.restricted from library where library.id = ${libraryOf}), 0))`;

/** Works out anew which series are hidden from those who may not see restricted ones: the series itself is flagged, or its library is. */
export async function refreshHidden(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  for (const ids of slices(seriesIds))
    await transaction.updateTable("series").set({ hidden }).where("id", "in", ids).execute();
}

/** The same for everything that a change of libraries can touch. @returns the ids of the series that are hidden now and were not, or the reverse */
export async function refreshAllHidden(transaction: CollectionTransaction): Promise<number[]> {
  const rows = await transaction
    .updateTable("series")
    .set({ hidden })
    .where("hidden", "<>", hidden)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

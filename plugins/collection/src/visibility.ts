import { sql } from "kysely";
import { slices, type CollectionTransaction } from "./tables.js";

/**
 * Works out anew which series are hidden from those who may not see restricted ones: the series itself is flagged, or
 * its library is. A series without a library is judged by its own flag alone.
 * @returns the ids of the series that were looked at
 */
export async function refreshHidden(transaction: CollectionTransaction, which: { libraryId: number } | { seriesIds: readonly number[] }): Promise<number[]> {
  const hidden = sql<number>`max(restricted, coalesce((select restricted from library where library.id = series.library_id), 0))`;
  if ("libraryId" in which) {
    const rows = await transaction.updateTable("series").set({ hidden }).where("library_id", "=", which.libraryId).returning("id").execute();
    return rows.map((row) => row.id);
  }
  for (const ids of slices(which.seriesIds)) await transaction.updateTable("series").set({ hidden }).where("id", "in", ids).execute();
  return [...which.seriesIds];
}

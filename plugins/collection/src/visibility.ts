import { inBatches } from "@longbox/sdk";
import type { ExpressionBuilder } from "kysely";
import type { CollectionTables, CollectionTransaction } from "./tables.js";

/**
 * A series is hidden when it is restricted, or its library is; one without a library falls back to the first of all.
 */
function hidden(eb: ExpressionBuilder<CollectionTables, "series">) {
  const first = eb
    .selectFrom("library as first")
    .select("first.id")
    .orderBy("first.sort_order")
    .orderBy("first.id")
    .limit(1);
  const ofLibrary = eb
    .selectFrom("library")
    .select("library.restricted")
    .where("library.id", "=", (of) => of.fn.coalesce("series.library_id", first));
  return eb
    .case()
    .when("series.restricted", "=", 1)
    .then(1)
    .else(eb.fn.coalesce(ofLibrary, eb.lit(0)))
    .end();
}

/**
 * Decides which series are hidden from users who may not see restricted content: the series or its library is flagged.
 */
export async function refreshHidden(transaction: CollectionTransaction, seriesIds: readonly number[]): Promise<void> {
  for (const ids of inBatches(seriesIds))
    await transaction
      .updateTable("series")
      .set((eb) => ({ hidden: hidden(eb) }))
      .where("id", "in", ids)
      .execute();
}

/**
 * The same for everything that a change of libraries can touch.
 * @returns the ids of the series that are hidden now and were not, or the reverse
 */
export async function refreshAllHidden(transaction: CollectionTransaction): Promise<number[]> {
  const rows = await transaction
    .updateTable("series")
    .set((eb) => ({ hidden: hidden(eb) }))
    .where((eb) => eb("hidden", "<>", hidden(eb)))
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

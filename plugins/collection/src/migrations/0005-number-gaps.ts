import { migration } from "@longbox/sdk";
import { ownedGaps } from "../counting/owned-gaps.js";
import { classRule } from "../series/series-class.js";

/** A series without a volume is complete only if no number between its first and last is missing. */
export const numberGapsMigration = migration("0005-number-gaps", async ({ schema, types, database }) => {
  await schema
    .alterTable("series")
    .addColumn("gaps", types.count, (column) => column.notNull().defaultTo(0))
    .execute();
  await database
    .updateTable("series")
    .from((from) =>
      from
        .selectFrom("series as matched")
        .innerJoin("issue", (join) => join.onRef("issue.series_id", "=", "matched.id").on("issue.present", "=", 1))
        .where("matched.cv_id", "is", null)
        .groupBy("matched.id")
        .select(["matched.id", ownedGaps.as("gaps")])
        .as("counted"),
    )
    .set((eb) => ({ gaps: eb.ref("counted.gaps") }))
    .whereRef("series.id", "=", "counted.id")
    .execute();
  await database.updateTable("series").set({ class: classRule }).where("gaps", ">", 0).execute();
});

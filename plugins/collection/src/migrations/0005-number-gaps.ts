import { sql } from "kysely";
import { migration } from "@longbox/sdk";
import { classRule } from "../series/series-class.js";

// The statements of a released step stay as they are: these are copies of what `counting/owned-gaps.ts` had then.
const whole = sql`case when issue.owned = 1 and issue.kind = 'issue' then round(issue.value - 0.499999) end`;
const ownedGaps = sql<number>`case
  when max(matched.cv_id) is not null or count(distinct ${whole}) = 0 then 0
  when max(${whole}) - min(${whole}) > ${sql.lit(20)} * count(distinct ${whole}) then 0
  else cast(max(${whole}) - min(${whole}) + 1 - count(distinct ${whole}) as integer) end`;

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

import { sql } from "kysely";
import { mostPerKnown } from "../issues/number-gaps.js";

/** The whole number of an owned, regular issue, rounded down: `floor` is not in every engine. */
const whole = sql`case when issue.owned = 1 and issue.kind = 'issue' then round(issue.value - 0.499999) end`;

/**
 * How many whole numbers are missing between the first and the last that are owned, of a series (`matched`) without a
 * volume; as `numberGaps` finds them.
 */
export const ownedGaps = sql<number>`case
  when max(matched.cv_id) is not null or count(distinct ${whole}) = 0 then 0
  when max(${whole}) - min(${whole}) > ${sql.lit(mostPerKnown)} * count(distinct ${whole}) then 0
  else cast(max(${whole}) - min(${whole}) + 1 - count(distinct ${whole}) as bigint) end`;

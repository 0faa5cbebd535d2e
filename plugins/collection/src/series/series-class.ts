import { sql } from "kysely";

/** The bits of a series' class: which filters it is shown by, packed so that counting reads one narrow index. */
export const classBits = {
  incomplete: 1,
  complete: 2,
  monitored: 4,
  ongoing: 8,
  ended: 16,
  problems: 32,
  unmatched: 64,
} as const;

/** The class, from the other columns. Written with the counters, since nothing in it changes without them. */
export const classRule = sql<number>`case when missing + gaps > 0 then ${classBits.incomplete} else 0 end
  + case when missing + gaps = 0 and total > 0 then ${classBits.complete} else 0 end
  + case when monitor <> 'none' then ${classBits.monitored} else 0 end
  + case when status = 'ongoing' then ${classBits.ongoing} else 0 end
  + case when status = 'ended' then ${classBits.ended} else 0 end
  + case when corrupt > 0 or unlinked > 0 then ${classBits.problems} else 0 end
  + case when cv_id is null then ${classBits.unmatched} else 0 end`;

/** How many series each filter shows, from how many there are of each type and class. */
export function tally(
  groups: ReadonlyArray<{ readonly type: string; readonly class: number; readonly count: number }>,
  types: readonly string[],
): Record<string, number> {
  const counts: Record<string, number> = { all: 0, unmonitored: 0 };
  for (const name of [...Object.keys(classBits), ...types]) counts[name] = 0;
  const add = (name: string, count: number) => (counts[name] = (counts[name] ?? 0) + count);
  for (const group of groups) {
    add("all", group.count);
    if (types.includes(group.type)) add(group.type, group.count);
    for (const [name, bit] of Object.entries(classBits)) if ((group.class & bit) !== 0) add(name, group.count);
    if ((group.class & classBits.monitored) === 0) add("unmonitored", group.count);
  }
  return counts;
}

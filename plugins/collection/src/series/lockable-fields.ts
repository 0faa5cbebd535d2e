import type { SeriesTable } from "../tables.js";

/** What a person may write about a series, so that files and providers do not overwrite it. */
export const lockableFields = ["title", "publisher", "year", "description"] as const;
export type LockableField = (typeof lockableFields)[number];

/** The fields of a row that files and providers leave alone. */
export function lockedIn({ locked }: Pick<SeriesTable, "locked">): ReadonlySet<LockableField> {
  return new Set(JSON.parse(locked) as LockableField[]);
}

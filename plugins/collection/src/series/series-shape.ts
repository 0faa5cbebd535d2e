import type { Series } from "../contract.js";
import type { SeriesRow } from "../answers/shapes.js";
import type { SeriesTable } from "../tables.js";

/** A series as one user sees it. */
export type SeriesRecord = SeriesTable & { followed: number };

/** What others see of a series. */
export const sharedColumns = [
  "series.id",
  "series.cv_id",
  "series.title",
  "series.publisher",
  "series.year",
  "series.type",
  "series.library_id",
  "series.hidden",
  "series.added_at",
  "series.aliases",
  "series.monitor",
  "series.monitor_from",
  "series.path",
] as const;

type Column<Named extends string> = Named extends `series.${infer Name extends keyof SeriesTable}` ? Name : never;
export type SharedSeries = Pick<SeriesTable, Column<(typeof sharedColumns)[number]>>;

export function toSeries(row: SharedSeries): Series {
  return {
    id: row.id,
    cvId: row.cv_id ?? undefined,
    title: row.title,
    publisher: row.publisher ?? undefined,
    year: row.year ?? undefined,
    type: row.type,
    libraryId: row.library_id ?? undefined,
    restricted: row.hidden === 1,
    addedAt: row.added_at,
    aliases: JSON.parse(row.aliases) as string[],
    monitor: row.monitor as Series["monitor"],
    monitorFrom: row.monitor_from ?? undefined,
    path: row.path ?? undefined,
  };
}

/** A chosen cover has an address of its own, so that browsers show it as soon as it is chosen. */
function coverAddress({ id, chosen_cover_id }: SeriesRecord): string {
  return `/api/collection/${id}/cover${chosen_cover_id === null ? "" : `?issue=${chosen_cover_id}`}`;
}

export function toSeriesRow(row: SeriesRecord): SeriesRow {
  return {
    id: row.id,
    seriesId: row.id,
    cvId: row.cv_id,
    title: row.title,
    publisher: row.publisher,
    year: row.year,
    ...(row.description === null ? {} : { description: row.description }),
    cover: coverAddress(row),
    monitor: row.monitor as SeriesRow["monitor"],
    monitor_from: row.monitor_from,
    monitored: row.monitor !== "none",
    followed: row.followed === 1,
    type: row.type,
    restricted: row.restricted === 1,
    libraryId: row.library_id,
    matched: row.cv_id !== null,
    status: row.status as SeriesRow["status"],
    total: row.total,
    owned: row.owned,
    missing: row.missing,
    numberGaps: row.gaps,
    untagged: row.untagged,
    corrupt: row.corrupt,
    size: row.size,
    latest: row.latest,
    addedAt: row.added_at,
  };
}

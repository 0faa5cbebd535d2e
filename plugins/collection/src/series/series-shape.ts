import type { Series } from "../contract.js";
import type { SeriesRow } from "../answers/shapes.js";
import type { SeriesTable } from "../tables.js";

/** A series as one user sees it. */
export type SeriesRecord = SeriesTable & { followed: number };

export function toSeries(row: SeriesTable): Series {
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

export function toSeriesRow(row: SeriesRecord): SeriesRow {
  return {
    id: row.id,
    seriesId: row.id,
    cvId: row.cv_id,
    title: row.title,
    publisher: row.publisher,
    year: row.year,
    ...(row.description === null ? {} : { description: row.description }),
    cover: `/api/collection/${row.id}/cover`,
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
    untagged: row.untagged,
    corrupt: row.corrupt,
    size: row.size,
    latest: row.latest,
    addedAt: row.added_at,
  };
}

import { annualSource } from "../placing/annual-source.js";
import { sourceKey, type KnownSeries, type PlacingBatch, type Reading } from "../placing/placing-batch.js";

/**
 * Finds the known series of a file, or undefined when it needs a new one. Evidence in order: the series that a
 * person pinned to the folder, a volume that a person chose for it, the provider's id inside the file, the folder and
 * name seen before, and last a series that was added by hand under exactly this title and year.
 */
export function chooseSeries(batch: PlacingBatch, reading: Reading): KnownSeries | undefined {
  const { series } = reading.file;
  const pinned = batch.pinned.get(series.folder);
  if (pinned) return pinned;
  const ownSeries = reading.number.kind === "annual" ? annualSource(reading.sourceName) : reading.sourceName;
  const sourceId =
    batch.sources.get(sourceKey(series.folder, ownSeries)) ??
    batch.sources.get(sourceKey(series.folder, reading.sourceName));
  const seen = sourceId === undefined ? undefined : batch.series.get(sourceId);
  if (seen?.pointed_by_hand === 1) return seen;
  if (series.cvId === undefined) return seen ?? awaited(batch, reading);
  const byId = batch.seriesByVolume.get(series.cvId);
  return byId ?? (seen?.cv_id === null ? seen : undefined);
}

/**
 * A series that a person added and whose files now arrive. Anything less than certain makes a series of its own
 * instead.
 */
function awaited(batch: PlacingBatch, reading: Reading): KnownSeries | undefined {
  const { year } = reading.file.series;
  const candidates = (batch.seriesByTitle.get(reading.nameKey) ?? []).filter(
    (candidate) => candidate.origin === "provider" && candidate.state === "tracked",
  );
  const [only, ...others] = candidates.filter((candidate) => candidate.year !== null && candidate.year === year);
  return others.length === 0 ? only : undefined;
}

import type { Viewer } from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import type { SourceVolume, VolumeSummary } from "./contract.js";
import type { VolumeRow } from "./shapes.js";

/** Rows of volumes, with the number of owned issues. */
export async function toVolumeRows(
  volumes: readonly VolumeSummary[],
  catalog: CatalogContract,
  viewer: Viewer,
): Promise<VolumeRow[]> {
  const there = new Map(
    (
      await catalog.findByVolumes(
        volumes.map((volume) => volume.id),
        viewer,
      )
    ).map(({ cvId, seriesId }) => [cvId, seriesId]),
  );
  return volumes.map((volume) => {
    const seriesId = there.get(volume.id);
    return {
      id: volume.id,
      name: volume.name,
      publisher: volume.publisher ?? null,
      startYear: volume.startYear ?? null,
      issueCount: volume.issueCount,
      image: volume.imageUrl === undefined ? null : `/api/cv/volume/${volume.id}/cover`,
      deck: volume.deck ?? null,
      aliases: [...volume.aliases],
      inLibrary: seriesId !== undefined,
      ...(seriesId === undefined ? {} : { seriesId }),
    };
  });
}

export function toSummary(volume: SourceVolume): VolumeSummary {
  const { cvId: id, title: name, publisher, year: startYear, issueCount, deck, aliases, imageUrl } = volume;
  return { id, name, publisher, startYear, issueCount, deck, aliases, imageUrl };
}

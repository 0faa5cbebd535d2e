import { BadInput, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import type { Candidate } from "./candidate.js";

/** The match that a user chooses for a candidate: a series of the collection, or a volume of the provider. */
export class ChosenMatch {
  constructor(
    private readonly collection: CollectionContract,
    private readonly metadata: OptionalCapability<MetadataContract>,
  ) {}

  async series(seriesId: number, viewer: Viewer): Promise<NonNullable<Candidate["match"]>> {
    const series = await this.collection.findSeries(seriesId, viewer);
    if (!series)
      throw new BadInput("files/series-not-found", `There is no series ${seriesId}.`, { seriesId: "is not a series" });
    return {
      cvId: series.cvId ?? null,
      name: series.title,
      year: series.year ?? null,
      image: `/api/collection/${series.id}/cover`,
      seriesId: series.id,
    };
  }

  async volume(cvId: number | undefined, viewer: Viewer): Promise<NonNullable<Candidate["match"]>> {
    if (cvId === undefined)
      throw new BadInput("files/no-choice", "Say which volume or which series it is.", {
        cvId: "or seriesId must be given",
      });
    if (!this.metadata.available())
      throw new BadInput(
        "files/no-provider",
        "Without the metadata plugin only series of the collection can be chosen.",
        { cvId: "cannot be looked up" },
      );
    const volume = await this.metadata.use.getVolume(cvId, { urgency: "person", viewer });
    return {
      cvId,
      name: volume.title,
      year: volume.year ?? null,
      image: volume.imageUrl ? `/api/cv/volume/${cvId}/cover` : null,
      seriesId: null,
    };
  }
}

import { extname } from "node:path";
import { foldTitle, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Series } from "@longbox/collection/contract";
import type { MetadataContract, VolumeSummary } from "@longbox/metadata/contract";
import type { Formats } from "../formats/formats.js";
import type { CandidateMatch, FoundGroup } from "./candidate.js";
import type { Judgement } from "./candidates.js";

/** Finds the series that a group of files may belong to. Only a certain match is `high`; all others wait for a user. */
export class Judging {
  constructor(
    private readonly collection: Pick<CollectionContract, "listSeries">,
    private readonly metadata: OptionalCapability<MetadataContract>,
    private readonly formats: Pick<Formats, "all">,
  ) {}

  /** A group with an unclear name is never certain. Series that are hidden from the viewer do not count. */
  async judge(group: FoundGroup, viewer: Viewer): Promise<Judgement> {
    const judgement = await this.#judgeNamed(group, viewer);
    if (!group.doubts?.length) return judgement;
    const confidence = judgement.confidence === "high" ? "medium" : judgement.confidence;
    return { ...judgement, confidence, reasons: [...judgement.reasons, ...group.doubts] };
  }

  async #judgeNamed(group: FoundGroup, viewer: Viewer): Promise<Judgement> {
    if (group.cvIds.length > 1)
      return { confidence: "low", match: undefined, reasons: ["The files name several volumes."] };
    const own = await this.#ownSeries(group, viewer);
    const [cvId] = group.cvIds;
    if (cvId !== undefined)
      return {
        confidence: "high",
        match: await this.#matchOf(cvId, group, viewer),
        reasons: ["The volume's id is in the files or in the folder's name."],
      };
    const same = own.filter((series) => foldTitle(series.title) === foldTitle(titleOf(group)));
    const [certain, ...others] = same.filter((series) => series.year !== undefined && series.year === group.year);
    if (certain && others.length === 0)
      return {
        confidence: "high",
        match: toMatch(certain),
        reasons: ["A series of this title and year is in the collection."],
      };
    const [likely] = same;
    if (likely)
      return {
        confidence: "medium",
        match: toMatch(likely),
        reasons: ["A series of this title is in the collection; its year is not certain."],
      };
    return this.#askProvider(group);
  }

  /** A match by the id of a volume, with its title if the provider or the collection knows it. */
  async #matchOf(cvId: number, group: FoundGroup, viewer: Viewer): Promise<CandidateMatch> {
    const series = (await this.#ownSeries(group, viewer)).find((one) => one.cvId === cvId);
    return series
      ? toMatch(series)
      : { cvId, name: titleOf(group), year: group.year ?? null, image: null, seriesId: null };
  }

  async #ownSeries(group: FoundGroup, viewer: Viewer): Promise<readonly Series[]> {
    const { items } = await this.collection.listSeries({ search: titleOf(group), limit: 50 }, viewer);
    return items;
  }

  /** The library types that hold files of these formats; no other type can match. */
  #typesOf({ files }: FoundGroup): string[] {
    const endings = new Set(files.map(({ name }) => extname(name).slice(1).toLowerCase()));
    const formats = this.formats.all().filter(({ extensions }) => extensions.some((ending) => endings.has(ending)));
    return [...new Set(formats.flatMap(({ libraryTypes }) => libraryTypes))];
  }

  async #askProvider(group: FoundGroup): Promise<Judgement> {
    const nothing: Judgement = { confidence: "none", match: undefined, reasons: ["Nothing of this name is known."] };
    if (!this.metadata.available()) return nothing;
    let volumes: readonly VolumeSummary[];
    try {
      volumes = await this.metadata.use.searchVolumes(titleOf(group), {
        urgency: "background",
        libraryTypes: this.#typesOf(group),
      });
    } catch (thrown) {
      return {
        ...nothing,
        reasons: [`The provider could not be asked: ${thrown instanceof Error ? thrown.message : String(thrown)}`],
      };
    }
    const same = volumes.filter((volume) => foldTitle(volume.name) === foldTitle(titleOf(group)));
    const byYear = same.filter((volume) => volume.startYear !== undefined && volume.startYear === group.year);
    if (byYear.length === 1)
      return {
        confidence: "medium",
        match: fromVolume(byYear[0]!),
        reasons: ["The provider has one volume of this title and year."],
      };
    const guess = byYear[0] ?? same[0] ?? volumes[0];
    return guess
      ? { confidence: "low", match: fromVolume(guess), reasons: ["The provider has a volume of a similar title."] }
      : nothing;
  }
}

const titleOf = ({ title, name }: FoundGroup) => title ?? name;

function toMatch(series: Series): CandidateMatch {
  return {
    cvId: series.cvId ?? null,
    name: series.title,
    year: series.year ?? null,
    image: `/api/collection/${series.id}/cover`,
    seriesId: series.id,
  };
}

function fromVolume(volume: VolumeSummary): CandidateMatch {
  return {
    cvId: volume.id,
    name: volume.name,
    year: volume.startYear ?? null,
    image: volume.imageUrl ? `/api/cv/volume/${volume.id}/cover` : null,
    seriesId: null,
  };
}

import { Conflict, isLongboxError, NotFound, type Viewer } from "@longbox/sdk";
import { kindOfSeries, type CatalogContract, type SeriesEvidence } from "@longbox/collection/contract";
import type { AskOptions, VolumeSummary } from "../contract.js";
import type { CoverComparing } from "./cover-comparing.js";
import { findCertain, isPossible, judge, type Judgement } from "./evidence.js";
import type { Lookups } from "../lookups.js";
import type { MetadataDatabase } from "../tables.js";
import { understandSeries } from "./understanding.js";

export interface Candidate {
  readonly volume: VolumeSummary;
  readonly judgement: Judgement;
}

export interface MatchOutcome {
  /** The id of the series that remains: matching two series to one volume makes one of them. */
  readonly seriesId: number;
  readonly cvId: number | undefined;
  readonly reasons: readonly string[];
  /** The candidates for the user when no match is certain, best first. */
  readonly candidates: readonly Candidate[];
}

/** The viewer, and the options of requests to the provider. */
export interface MatchOptions extends AskOptions {
  /** A series that is hidden from the viewer is not merged with. */
  readonly viewer: Viewer;
}

/** A volume that was chosen for a series. */
interface Choice {
  readonly seriesId: number;
  readonly volumeId: number;
  readonly reasons: readonly string[];
  readonly candidates: readonly Candidate[];
}

type Decision = Pick<Choice, "reasons" | "candidates"> & { readonly volumeId: number | undefined };

/** Where it is remembered when the annuals of a series were looked for: ids of series are positive. */
const annualsKey = (seriesId: number) => -seriesId;

const shownCandidates = 10;
/** Of this many possible volumes the issues are looked at: more volumes of a title leave too much open. */
const mostLookedAt = 8;
/** A failed search is not repeated within this number of days. */
const askAgainDays = 7;

/** Finds the volume of a series by the ids in its files, or by a search. */
export class Matching {
  readonly #catalog: CatalogContract;
  readonly #lookups: Lookups;
  readonly #database: MetadataDatabase;
  readonly #covers: CoverComparing;

  constructor(parts: {
    readonly catalog: CatalogContract;
    readonly lookups: Lookups;
    readonly database: MetadataDatabase;
    readonly covers: CoverComparing;
  }) {
    this.#catalog = parts.catalog;
    this.#lookups = parts.lookups;
    this.#database = parts.database;
    this.#covers = parts.covers;
  }

  /** The choice of a user. @throws {NotFound} `collection/volume-not-found` */
  async choose({ seriesId }: SeriesEvidence, volumeId: number, options: MatchOptions): Promise<MatchOutcome> {
    return await this.#take({ seriesId, volumeId, reasons: ["chosen by a person"], candidates: [] }, options);
  }

  /** Matches when the match is certain; otherwise answers with candidates. */
  async match(evidence: SeriesEvidence, options: MatchOptions & { readonly alone: boolean }): Promise<MatchOutcome> {
    const { seriesId } = evidence;
    const decision = await this.#decide(evidence, options);
    await this.#remember(seriesId, decision.candidates);
    const { volumeId } = decision;
    if (volumeId === undefined) return { seriesId, cvId: undefined, ...decision };
    return await this.#takeIfThere({ seriesId, ...decision, volumeId }, options);
  }

  /**
   * Finds the volume of the annuals that lie with the other issues of their series, and moves them to a series of their
   * own. Where no volume is certain, they stay.
   * @param evidence - of the annuals alone
   * @returns the series of annuals
   */
  async matchAnnuals(evidence: SeriesEvidence, options: MatchOptions): Promise<number | undefined> {
    const { volumeId, candidates } = await this.#decide(evidence, { ...options, alone: true });
    await this.#remember(annualsKey(evidence.seriesId), candidates);
    if (volumeId === undefined) return undefined;
    const volume = await this.#lookups.getVolume(volumeId, options);
    // Ids inside files may name the volume of the other issues.
    if (kindOfSeries(volume.title) !== "annual") return undefined;
    try {
      return await this.#catalog.takeAnnuals(evidence.seriesId, volume, options.viewer);
    } catch (fault) {
      if (isLongboxError(fault) && fault.code === "collection/volume-not-found") return undefined;
      throw fault;
    }
  }

  /** Whether a recent search for this series found no certain match. */
  async wasSearched(seriesId: number): Promise<boolean> {
    return await this.#isRecent(seriesId);
  }

  /** The same for the annuals that lie with the issues of a series. */
  async wereAnnualsSearched(seriesId: number): Promise<boolean> {
    return await this.#isRecent(annualsKey(seriesId));
  }

  async #isRecent(key: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom("candidate")
      .select("looked_at")
      .where("series_id", "=", key)
      .executeTakeFirst();
    return row !== undefined && row.looked_at > Date.now() - askAgainDays * 86_400_000;
  }

  /** @throws {NotFound} */
  async getEvidence(seriesId: number, viewer: Viewer): Promise<SeriesEvidence> {
    const evidence = await this.#catalog.findEvidence(seriesId, viewer);
    if (!evidence) throw new NotFound("metadata/series-not-found", `There is no series ${seriesId}.`, { id: seriesId });
    return evidence;
  }

  /**
   * The same for a question to the source. @throws {NotFound}
   * @throws {Conflict} `metadata/unknown-type` when the source does not know works of the series' type
   */
  async getKnownEvidence(seriesId: number, viewer: Viewer): Promise<SeriesEvidence> {
    const evidence = await this.getEvidence(seriesId, viewer);
    if (this.#lookups.knows([evidence.type])) return evidence;
    const { label } = this.#lookups.source();
    throw new Conflict("metadata/unknown-type", `${label} does not know works of the type "${evidence.type}".`, {
      seriesId: evidence.seriesId,
      type: evidence.type,
    });
  }

  /** A volume that the viewer may not choose does not count as a match. */
  async #takeIfThere(choice: Choice, options: MatchOptions): Promise<MatchOutcome> {
    try {
      return await this.#take(choice, options);
    } catch (fault) {
      if (!isLongboxError(fault) || fault.code !== "collection/volume-not-found") throw fault;
      return { seriesId: choice.seriesId, cvId: undefined, reasons: [], candidates: choice.candidates };
    }
  }

  async #take({ seriesId, volumeId, reasons, candidates }: Choice, options: MatchOptions): Promise<MatchOutcome> {
    const volume = await this.#lookups.getVolume(volumeId, options);
    const remaining = await this.#catalog.matchSeries(seriesId, volume, options.viewer);
    await this.#database.deleteFrom("candidate").where("series_id", "=", seriesId).execute();
    return { seriesId: remaining, cvId: volume.cvId, reasons, candidates };
  }

  /** The volume that is certain, if one is, and the candidates that a search found, best first. */
  async #decide(evidence: SeriesEvidence, options: MatchOptions & { readonly alone: boolean }): Promise<Decision> {
    const inside = await this.#volumeInsideFiles(evidence, options);
    if (inside !== undefined)
      return { volumeId: inside, reasons: ["the provider's ids inside the files"], candidates: [] };
    const found = await this.#search(evidence, options);
    const judged = options.alone ? await this.#lookAt(evidence, found, options) : found;
    const candidates = judged.toSorted(bestFirst).slice(0, shownCandidates);
    const certain = options.alone ? findCertain(judged) : undefined;
    return { volumeId: certain?.volume.id, reasons: certain?.judgement.reasons ?? [], candidates };
  }

  /** All files must point to the same volume; otherwise the user decides. */
  async #volumeInsideFiles(evidence: SeriesEvidence, options: AskOptions): Promise<number | undefined> {
    const volumes = new Set<number>();
    for (const id of [...new Set(evidence.cvIssueIds)].slice(0, 3)) {
      const issue = await this.#lookups.getIssue(id, options).catch((fault: unknown) => {
        if (fault instanceof NotFound) return undefined;
        throw fault;
      });
      if (issue && issue.volumeId > 0) volumes.add(issue.volumeId);
    }
    return volumes.size === 1 ? [...volumes][0] : undefined;
  }

  /** The candidates, best first. */
  async #search(evidence: SeriesEvidence, options: AskOptions): Promise<Candidate[]> {
    const [title = evidence.title] = understandSeries(evidence).titles;
    const found = await this.#lookups.searchVolumes(title, options);
    return found
      .map((volume) => ({ volume, judgement: judge(evidence, { summary: volume }) }))
      .filter(({ judgement }) => judgement.score >= 20)
      .toSorted(bestFirst);
  }

  /** Weighs the issues and the covers of the volumes that are possible so far. */
  async #lookAt(
    evidence: SeriesEvidence,
    candidates: readonly Candidate[],
    options: MatchOptions,
  ): Promise<readonly Candidate[]> {
    const possible = candidates.filter(({ judgement }) => isPossible(judgement));
    if (possible.length > mostLookedAt) return candidates;
    const looked = new Map<Candidate, Candidate>();
    for (const candidate of possible) {
      const { volume } = candidate;
      const listed = await this.#lookups.getVolume(volume.id, options);
      const judgement = judge(evidence, { summary: volume, listed });
      const cover = isPossible(judgement) ? await this.#covers.compare(evidence, listed, options) : undefined;
      looked.set(candidate, { volume, judgement: judge(evidence, { summary: volume, listed, cover }) });
    }
    return candidates.map((candidate) => looked.get(candidate) ?? candidate);
  }

  async #remember(seriesId: number, candidates: readonly Candidate[]): Promise<void> {
    const best = JSON.stringify(candidates.map(({ volume, judgement }) => ({ id: volume.id, score: judgement.score })));
    const row = { series_id: seriesId, looked_at: Date.now(), best };
    await this.#database
      .insertInto("candidate")
      .values(row)
      .onConflict((conflict) => conflict.column("series_id").doUpdateSet(row))
      .execute();
  }
}

function bestFirst(left: Candidate, right: Candidate): number {
  return right.judgement.score - left.judgement.score || left.volume.id - right.volume.id;
}

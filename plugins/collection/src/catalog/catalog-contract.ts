import type { Viewer } from "@longbox/sdk";
import { contract } from "@longbox/sdk/light";
import type { LibraryType } from "../libraries/library-contract.js";
import type { IssueKind } from "../issues/issue-kind.js";
import type { WorkCatalogContract } from "./work-catalog-contract.js";

/** An issue as a metadata provider lists it. */
export interface ProviderIssue {
  readonly cvIssueId: number;
  readonly number: string;
  readonly kind?: IssueKind | undefined;
  readonly title?: string | undefined;
  readonly coverDate?: string | undefined;
  readonly storeDate?: string | undefined;
}

/**
 * A volume as a metadata provider knows it, with every issue that it lists. Texts are free of markup that could do
 * harm.
 */
export interface ProviderVolume {
  readonly cvId: number;
  readonly title: string;
  readonly publisher?: string | undefined;
  readonly year?: number | undefined;
  readonly description?: string | undefined;
  readonly aliases: readonly string[];
  readonly url?: string | undefined;
  readonly status: "ongoing" | "ended" | "unknown";
  readonly issues: readonly ProviderIssue[];
}

/** All metadata of a provider for one issue. */
export interface ProviderIssueDetail extends ProviderIssue {
  readonly description?: string | undefined;
  readonly credits: ReadonlyArray<{ readonly name: string; readonly role: string }>;
  readonly characters: readonly string[];
  readonly teams: readonly string[];
  readonly locations: readonly string[];
  readonly arcs: readonly string[];
  readonly url?: string | undefined;
}

export interface AddVolumeRequest {
  readonly viewer: Viewer;
  /** The issues that were asked for. */
  readonly cvIssueIds?: readonly number[] | undefined;
  readonly why?: "picked" | "list" | "request" | undefined;
  readonly reason?: string | undefined;
  /**
   * Only what is asked for is picked: a new series is not monitored, and the viewer does not follow it. Default: as the
   * settings say.
   */
  readonly only?: boolean | undefined;
  /**
   * The types of libraries that the volume can be of: a new series is of the first library that has one of them.
   * Default: of the first library.
   */
  readonly libraryTypes?: readonly LibraryType[] | undefined;
  /** Whether what is wanted is also downloaded, where the viewer may do that. Default: as the settings say. */
  readonly download?: boolean | undefined;
}

/** What is known of an owned issue that helps to find the volume of its series. */
export interface IssueEvidence {
  /** The internal id. */
  readonly issueId: number;
  /** As the collection writes it: `12`, `Annual 2`. */
  readonly number: string;
  readonly kind: IssueKind;
  readonly title: string | undefined;
  /** The year of the cover. */
  readonly year: number | undefined;
}

/** The metadata of a series that helps to find its volume. */
export interface SeriesEvidence {
  readonly seriesId: number;
  readonly type: LibraryType;
  readonly cvId: number | undefined;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  /** The owned issues by number, at most 500. */
  readonly issues: readonly IssueEvidence[];
  /** BCP 47 tags of the owned issues. */
  readonly languages: readonly string[];
  /** Provider ids that were found inside the files. */
  readonly cvIssueIds: readonly number[];
}

/** Some series by id, after `afterId`. */
export interface SeriesRange {
  readonly afterId: number;
  readonly limit: number;
  readonly libraryTypes: readonly LibraryType[];
}

/**
 * How a metadata provider writes to the collection. Hand assignments of files survive all of it but
 * {@link repointSeries}.
 */
export interface CatalogContract extends WorkCatalogContract {
  /**
   * Tracks a volume: monitors it, or picks just the issues asked for when the settings say so; follows it for the
   * viewer; queues what is missing when the settings say so. Needs `downloads.grab` or `library.manage`.
   * @throws {LongboxError} `collection/may-not-want`; `collection/volume-not-found` when it is a series that is hidden
   * from the viewer
   */
  addVolume(
    volume: ProviderVolume,
    request: AddVolumeRequest,
  ): Promise<{ readonly seriesId: number; readonly cvId: number; readonly queued: number }>;
  /**
   * Sets the volume of a series. Its issues keep their internal ids. When another series has the volume already, the
   * two become one. A hidden series keeps its issues: they never move to a series that is not hidden.
   * @returns the id of the series that remains
   * @throws {NotFound} `collection/series-not-found`; `collection/volume-not-found` when the series that has the volume
   * already is hidden from the viewer
   */
  matchSeries(seriesId: number, volume: ProviderVolume, viewer: Viewer): Promise<number>;
  /** The same on a user's choice: drops manual assignments and all metadata of the former volume. */
  repointSeries(seriesId: number, volume: ProviderVolume, viewer: Viewer): Promise<number>;
  /**
   * Brings a matched series up to date.
   * @throws {Conflict} `collection/other-volume` when it is another volume by now
   */
  refreshSeries(seriesId: number, volume: ProviderVolume): Promise<void>;
  /**
   * Wants these issues, regardless of the monitoring of their series. Needs `downloads.grab` or `library.manage`.
   * @returns the ids, as asked for, of those that are there for the viewer; the others are not picked
   * @throws {LongboxError} `collection/may-not-want`
   */
  pickIssues(
    cvIssueIds: readonly number[],
    request: {
      readonly viewer: Viewer;
      readonly why: "picked" | "list" | "request";
      readonly reason?: string | undefined;
    },
  ): Promise<readonly number[]>;
  /**
   * Moves the annuals that lie with the issues of a series to the series of this volume, which is made where it is not
   * there yet, without monitoring it. Their folder leads there from then on.
   * @returns the id of the series of annuals
   * @throws {NotFound} `collection/series-not-found`; `collection/volume-not-found` when the series that has the volume
   * already is hidden from the viewer
   */
  takeAnnuals(seriesId: number, volume: ProviderVolume, viewer: Viewer): Promise<number>;
  describeIssue(detail: ProviderIssueDetail): Promise<void>;
  findByVolumes(
    cvIds: readonly number[],
    viewer: Viewer,
  ): Promise<ReadonlyArray<{ readonly cvId: number; readonly seriesId: number }>>;
  findEvidence(seriesId: number, viewer: Viewer): Promise<SeriesEvidence | undefined>;
  /** Tracked series of these types without a known volume, by id, after `afterId`. */
  listUnmatched(range: SeriesRange): Promise<readonly SeriesEvidence[]>;
  /**
   * Of tracked series that have annuals among their issues which no provider lists there: the annuals alone, as
   * evidence of their own volume. The year is not known: it need not be that of the series.
   */
  listAnnuals(range: SeriesRange): Promise<readonly SeriesEvidence[]>;
  /** The same of one series; undefined when it has none. */
  findAnnuals(seriesId: number, viewer: Viewer): Promise<SeriesEvidence | undefined>;
  /** Tracked, matched series of these types that were refreshed longest ago, or never. */
  listStale(range: {
    readonly before: string;
    readonly limit: number;
    readonly libraryTypes: readonly LibraryType[];
  }): Promise<ReadonlyArray<{ readonly seriesId: number; readonly cvId: number }>>;
  /** How many tracked series of these types, and of their files, belong to a known volume. */
  countMatched(libraryTypes: readonly LibraryType[]): Promise<{
    readonly matchedSeries: number;
    readonly unmatchedSeries: number;
    readonly matchedFiles: number;
    readonly unmatchedFiles: number;
  }>;
}

export const Catalog = contract<CatalogContract>("collection.catalog", "1.0.0");

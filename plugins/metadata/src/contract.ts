import { contract, extensionPoint, type Content, type Viewer } from "@longbox/sdk";
import type { LibraryType, ProviderIssueDetail, ProviderVolume } from "@longbox/collection/contract";

/** Whether a user request waits for the answer, or background work. */
export type Urgency = "person" | "background";
export interface AskOptions {
  readonly urgency: Urgency;
  /** Request the provider even if there is a cached answer. */
  readonly fresh?: boolean | undefined;
  /**
   * Milliseconds since 1970: answers that were cached before this time are not used, later ones are. For work that may
   * be interrupted and resumed, so that it does not repeat its requests.
   */
  readonly since?: number | undefined;
  /**
   * Who asks. What is cached for users who may see restricted items is never used for others: an answer that comes from
   * the cache would tell them what is in the library. Default: the server itself.
   */
  readonly viewer?: Audience | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a viewer that decides which cached answers may be used. */
export type Audience = Pick<Viewer, "seesRestricted">;

export interface SearchOptions extends AskOptions {
  /**
   * The types of libraries that what is looked for can be of. A source that knows none of them is not asked. Default:
   * any.
   */
  readonly libraryTypes?: readonly LibraryType[] | undefined;
}

/** A volume as a search shows it. */
export interface VolumeSummary {
  readonly id: number;
  readonly name: string;
  readonly publisher: string | undefined;
  readonly startYear: number | undefined;
  readonly issueCount: number;
  readonly deck: string | undefined;
  readonly aliases: readonly string[];
  /** Where the provider keeps the cover. */
  readonly imageUrl: string | undefined;
  /** A BCP 47 tag, where the provider says so. */
  readonly language?: string | undefined;
}

/** A volume with every issue that the provider lists. */
export interface SourceVolume extends ProviderVolume {
  readonly deck: string | undefined;
  readonly issueCount: number;
  readonly imageUrl: string | undefined;
  readonly issueImages: ReadonlyArray<{ readonly cvIssueId: number; readonly imageUrl: string }>;
}

export interface SourceIssue extends ProviderIssueDetail {
  readonly volumeId: number;
  readonly volumeName: string;
  readonly imageUrl: string | undefined;
}

export interface ArcSummary {
  readonly id: number;
  readonly name: string;
  readonly publisher: string | undefined;
  readonly deck: string | undefined;
  readonly imageUrl: string | undefined;
}

export interface Arc extends ArcSummary {
  readonly description: string | undefined;
  /** In the provider's order, which is not always the reading order. */
  readonly issues: ReadonlyArray<{ readonly cvIssueId: number; readonly name: string | undefined }>;
}

/** An issue as a list of releases shows it. */
export interface ReleasedIssue {
  readonly cvIssueId: number;
  readonly volumeId: number;
  readonly volumeName: string;
  readonly number: string;
  readonly title: string | undefined;
  readonly coverDate: string | undefined;
  readonly storeDate: string | undefined;
  readonly imageUrl: string | undefined;
}

/**
 * A metadata provider. Methods return undefined for what does not exist; every other failure is thrown as an upstream
 * failure.
 */
export interface MetadataSource {
  /** Its value of the setting `metadata.source`, such as `comicvine`. */
  readonly id: string;
  readonly label: string;
  /**
   * The types of libraries whose works it knows, such as `comic` and `manga`. It is never asked about a work of another
   * type.
   */
  readonly libraryTypes: readonly LibraryType[];
  searchVolumes(query: string, options: AskOptions): Promise<readonly VolumeSummary[]>;
  findVolume(id: number, options: AskOptions): Promise<SourceVolume | undefined>;
  findIssue(id: number, options: AskOptions): Promise<SourceIssue | undefined>;
  searchArcs(query: string, options: AskOptions): Promise<readonly ArcSummary[]>;
  findArc(id: number, options: AskOptions): Promise<Arc | undefined>;
  /**
   * Issues by their ids, in no order; those that it does not know are left out. A source without it is asked for one
   * after the other.
   */
  listIssues?(ids: readonly number[], options: AskOptions): Promise<readonly ReleasedIssue[]>;
  /** Volumes by their ids, in no order; those that it does not know are left out. */
  listVolumes?(ids: readonly number[], options: AskOptions): Promise<readonly VolumeSummary[]>;
  /** Issues whose store date lies in the range, both days included. */
  listReleases(
    range: { readonly from: string; readonly to: string },
    options: AskOptions,
  ): Promise<readonly ReleasedIssue[]>;
  /** Proves that the source answers. `registered`: whether it has a key at all. Never throws. */
  test(): Promise<{ readonly ok: boolean; readonly registered: boolean; readonly message: string }>;
  /** How many answers are kept. */
  countKept(): Promise<number>;
}

export const MetadataSources = extensionPoint<MetadataSource>("metadataSources", "1.0.0");

/** Lookups of volumes, issues and arcs that are not in the library, for other plugins. */
export interface MetadataContract {
  searchVolumes(query: string, options: SearchOptions): Promise<readonly VolumeSummary[]>;
  /** @throws {NotFound} `metadata/volume-not-found` */
  getVolume(id: number, options: AskOptions): Promise<SourceVolume>;
  /** @throws {NotFound} `metadata/issue-not-found` */
  getIssue(id: number, options: AskOptions): Promise<SourceIssue>;
  /** Issues by their ids, a hundred for each question; those that the provider does not know are left out. */
  listIssues(ids: readonly number[], options: AskOptions): Promise<readonly ReleasedIssue[]>;
  /**
   * Volumes by their ids, a hundred for each question; those that the provider does not know are left out. Empty where
   * the source cannot be asked for many at once.
   */
  listVolumes(ids: readonly number[], options: AskOptions): Promise<readonly VolumeSummary[]>;
  searchArcs(query: string, options: AskOptions): Promise<readonly ArcSummary[]>;
  /** @throws {NotFound} `metadata/arc-not-found` */
  getArc(id: number, options: AskOptions): Promise<Arc>;
  /** Issues whose store date lies in the range, both days included, as the provider lists them: in no sure order. */
  listReleases(
    range: { readonly from: string; readonly to: string },
    options: AskOptions,
  ): Promise<readonly ReleasedIssue[]>;
  /**
   * The provider's cover of an issue from an earlier answer, as content; fetched once and cached. The caller checks
   * whether the viewer may see the issue. @throws {NotFound} `metadata/no-image` @throws {UpstreamFailure}
   */
  readIssueCover(cvIssueId: number): Promise<{ readonly content: Content; readonly validator: string }>;
  /** Adds a volume to the library, as `POST /api/collection/add-cv` does; with `only`, only these issues are wanted. */
  addVolume(
    volumeId: number,
    request: {
      readonly viewer: Viewer;
      readonly cvIssueIds?: readonly number[] | undefined;
      readonly why?: "picked" | "list" | "request" | undefined;
      readonly reason?: string | undefined;
      readonly only?: boolean | undefined;
      readonly download?: boolean | undefined;
    },
    options?: AskOptions,
  ): Promise<{ readonly seriesId: number; readonly cvId: number; readonly queued: number }>;
}

export const Metadata = contract<MetadataContract>("metadata", "1.0.0");

/** A further step of `POST /api/collection/{id}/refresh`, such as reading the series' folder again. */
export interface RefreshStep {
  /** @returns fields that are added to the answer */
  refresh(seriesId: number, viewer: Viewer): Promise<Record<string, unknown>>;
}
export const RefreshSteps = extensionPoint<RefreshStep>("refreshSteps", "1.0.0");

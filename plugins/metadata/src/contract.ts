import { contract, extensionPoint, type Content, type Viewer } from "@longbox/sdk";
import type { ProviderIssueDetail, ProviderVolume } from "@longbox/collection/contract";

/** Whether a person waits for the answer, or it is for work in the background. */
export type Urgency = "person" | "background";
export interface AskOptions {
  readonly urgency: Urgency;
  /** Ask the provider again although an answer is kept. */
  readonly fresh?: boolean | undefined;
  /**
   * Milliseconds since 1970: an answer that was kept before is not used, one that was kept since is. For work that is
   * interrupted and goes on: what it asked for already is not asked for again.
   */
  readonly since?: number | undefined;
  readonly signal?: AbortSignal | undefined;
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

/** A metadata provider. What it cannot find is undefined; every other failure is thrown as an upstream failure. */
export interface MetadataSource {
  /** What the setting `metadata.source` calls it, such as `comicvine`. */
  readonly id: string;
  readonly label: string;
  searchVolumes(query: string, options: AskOptions): Promise<readonly VolumeSummary[]>;
  findVolume(id: number, options: AskOptions): Promise<SourceVolume | undefined>;
  findIssue(id: number, options: AskOptions): Promise<SourceIssue | undefined>;
  searchArcs(query: string, options: AskOptions): Promise<readonly ArcSummary[]>;
  findArc(id: number, options: AskOptions): Promise<Arc | undefined>;
  /** Issues by their ids, in no order; those that it does not know are left out. A source without it is asked for one after the other. */
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

/** What other plugins may ask about volumes, issues and arcs that are not in the library. */
export interface MetadataContract {
  searchVolumes(query: string, options: AskOptions): Promise<readonly VolumeSummary[]>;
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
   * The provider's cover of an issue that an answer named, as content; fetched once and kept. Whether the viewer may know
   * of the issue is for the caller to say. @throws {NotFound} `metadata/no-image` @throws {UpstreamFailure}
   */
  readIssueCover(cvIssueId: number): Promise<{ readonly content: Content; readonly validator: string }>;
  /** Adds a volume to the library, as `POST /api/collection/add-cv` does; with `only` nothing but the issues asked for is wanted. */
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

import { contract, extensionPoint, type Releasable, type Viewer } from "@longbox/sdk";

/** `comic`, `manga`, or a type that another plugin registered. */
export type LibraryType = string;

export interface Library {
  readonly id: number;
  readonly name: string;
  readonly type: LibraryType;
  /** An absolute path on the server. */
  readonly rootFolder: string;
  readonly folderPattern: string;
  readonly restricted: boolean;
  readonly sortOrder: number;
  readonly tagPlacement: "embed" | "sidecar";
}

export type IssueKind = "issue" | "annual" | "special" | "one-shot" | "collected";

export interface Series {
  /** Stable for as long as the series exists. */
  readonly id: number;
  /** The provider's volume, once matched. */
  readonly cvId: number | undefined;
  readonly title: string;
  readonly publisher: string | undefined;
  readonly year: number | undefined;
  readonly type: LibraryType;
  readonly libraryId: number | undefined;
  readonly restricted: boolean;
  readonly addedAt: string;
  /** The folder that the series is pinned to or was found in; absolute. */
  readonly path: string | undefined;
}

/** A file that holds an issue. */
export interface Holding {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly pages: number;
  readonly valid: boolean;
  readonly tagged: boolean;
  /** Why the file cannot be read, when it is not valid. */
  readonly error: string | undefined;
  /** A person said which issue this file is. */
  readonly assigned: boolean;
}

export interface Issue {
  /** Stable for as long as the issue exists, matched or not: keep this one. */
  readonly id: number;
  /** The provider's id once matched; until then the negative of `id`. What clients see. */
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly seriesTitle: string;
  readonly publisher?: string | undefined;
  /** Text such as `1`, `-1`, `½`, `1.5`, `1A`, `Annual 1`; sorts naturally by `sortKey`. */
  readonly number: string;
  readonly kind: IssueKind;
  readonly title: string | undefined;
  readonly coverDate: string | undefined;
  readonly owned: boolean;
  readonly corrupt: boolean;
  /** Pages of the holding that is read, 0 when nothing is owned. */
  readonly pages: number;
  readonly type: LibraryType;
  readonly restricted: boolean;
  readonly addedAt: string;
}

/** What a file says of its series and issue, by its tags, its name and its folder, best evidence first. */
export interface ReadFile {
  readonly libraryId: number;
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  readonly pages: number;
  readonly valid: boolean;
  readonly tagged: boolean;
  readonly error?: string | undefined;
  readonly series: {
    readonly name: string;
    /** The folder that holds the series' files; files of one folder and one name are one series. */
    readonly folder: string;
    readonly year?: number | undefined;
    readonly volume?: number | undefined;
    readonly publisher?: string | undefined;
    readonly cvId?: number | undefined;
    readonly rightToLeft?: boolean | undefined;
  };
  readonly issue: {
    readonly number: string;
    readonly kind: IssueKind;
    readonly cvIssueId?: number | undefined;
    readonly title?: string | undefined;
    readonly coverDate?: string | undefined;
    readonly description?: string | undefined;
    readonly credits?: ReadonlyArray<{ readonly name: string; readonly role: string }> | undefined;
    readonly characters?: readonly string[] | undefined;
    readonly teams?: readonly string[] | undefined;
    readonly locations?: readonly string[] | undefined;
    readonly arcs?: readonly string[] | undefined;
    readonly url?: string | undefined;
  };
}

/** What is known of an issue beyond {@link Issue}. */
export interface IssueDetail {
  readonly issueId: number;
  readonly storeDate: string | undefined;
  readonly description: string | undefined;
  readonly credits: ReadonlyArray<{ readonly name: string; readonly role: string }>;
  readonly characters: readonly string[];
  readonly teams: readonly string[];
  readonly locations: readonly string[];
  readonly arcs: readonly string[];
  readonly url: string | undefined;
}

export interface PlacedFile {
  readonly path: string;
  readonly seriesId: number;
  readonly issueId: number;
}

export interface SeriesQuery {
  readonly filter?: string | undefined;
  readonly search?: string | undefined;
  readonly library?: number | undefined;
  readonly publisher?: string | undefined;
  readonly sort?: "title" | "-title" | "added" | "missing" | "year" | "-year" | "latest" | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Libraries, series, issues and the files that hold them. Whatever takes a viewer leaves out what that viewer may not know of. */
export interface CollectionContract {
  listLibraries(viewer: Viewer): Promise<readonly Library[]>;
  onLibrariesChanged(listener: (libraryIds: readonly number[]) => void): Releasable;

  findSeries(seriesId: number, viewer: Viewer): Promise<Series | undefined>;
  listSeries(query: SeriesQuery, viewer: Viewer): Promise<Page<Series>>;
  /** The tracked series of each title, in the order asked for; case, accents, punctuation and a leading article do not count. */
  findSeriesByTitles(titles: readonly string[], viewer: Viewer): Promise<ReadonlyArray<readonly Series[]>>;
  listPublishers(viewer: Viewer): Promise<ReadonlyArray<{ readonly publisher: string; readonly series: number }>>;
  onSeriesChanged(listener: (seriesIds: readonly number[]) => void): Releasable;

  /** By the id that clients use; the negative id of an issue answers for ever, also after it was matched. */
  findIssue(cvIssueId: number, viewer: Viewer): Promise<Issue | undefined>;
  /** By the ids that clients use, each with the id it was asked by; those that are unknown or hidden are left out. */
  findIssuesByClientIds(cvIssueIds: readonly number[], viewer: Viewer): Promise<ReadonlyArray<{ readonly cvIssueId: number; readonly issue: Issue }>>;
  /** By internal ids; those that are gone or hidden are left out. */
  findIssues(issueIds: readonly number[], viewer: Viewer): Promise<readonly Issue[]>;
  /** What is known beyond; of issues that are gone nothing. */
  findIssueDetails(issueIds: readonly number[]): Promise<readonly IssueDetail[]>;
  /** Every issue of the series in reading order. */
  listIssues(seriesId: number, viewer: Viewer): Promise<readonly Issue[]>;
  /** The owned issues before and after this one in its series. */
  neighbours(issueId: number, viewer: Viewer): Promise<{ readonly previous: Issue | undefined; readonly next: Issue | undefined }>;
  /** Owned issues, newest in the library first. */
  listRecentlyAdded(range: { readonly limit: number; readonly offset: number }, viewer: Viewer): Promise<Page<Issue>>;
  /**
   * Owned issues whose own titles have every word of the text, or words that begin so, by series and number. Case counts
   * only beyond a to z, accents count. @param limit - how many at most
   */
  searchIssues(text: string, limit: number, viewer: Viewer): Promise<readonly Issue[]>;
  /** The files of an issue, the one to read first. */
  listHoldings(issueId: number): Promise<readonly Holding[]>;
  /** The same for many issues at once; of each the file to read first comes first. */
  findHoldings(issueIds: readonly number[]): Promise<ReadonlyArray<Holding & { readonly issueId: number }>>;
  /** An issue became another: what is kept under `from` belongs to `to` now. */
  onIssuesMerged(listener: (merge: { readonly from: number; readonly to: number }) => void): Releasable;

  /** Finds or makes the series and issues that these files hold, and records them. One transaction; safe to repeat. */
  placeFiles(files: readonly ReadFile[]): Promise<readonly PlacedFile[]>;
  /** Files that moved or were renamed keep their issue and hand assignment. */
  moveFiles(moves: ReadonlyArray<{ readonly from: string; readonly to: string }>): Promise<void>;
  /** Says where the files of a series lie, whatever their names say; undefined lets it be found again. */
  pinFolder(seriesId: number, folder: string | undefined): Promise<void>;
  /** Files that are no longer there. Series made by a scan alone go when their last file goes, unless somebody follows them. */
  removeFiles(paths: readonly string[]): Promise<void>;
}

export const Collection = contract<CollectionContract>("collection", "1.0.0");

/** A kind of library that another plugin brings. */
export interface LibraryTypeContribution {
  readonly id: string;
  readonly label: string;
}
export const LibraryTypes = extensionPoint<LibraryTypeContribution>("libraryTypes", "1.0.0");

/** Where covers come from; asked in the order of `rank`, lowest first, until one answers. */
export interface CoverSource {
  readonly rank: number;
  /** The image as it is, and a text that changes whenever the image does. */
  findCover(issue: { readonly issueId: number; readonly cvIssueId: number }): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Changes whenever `findCover` would answer otherwise; undefined when it has nothing. Cheap. */
  validator(issue: { readonly issueId: number; readonly cvIssueId: number }): Promise<string | undefined>;
}
export const CoverSources = extensionPoint<CoverSource>("coverSources", "1.0.0");

/** A way to narrow lists of series by what another plugin knows: `GET /api/collection?facet={"author":"Ada Quill"}`. */
export interface SeriesFacet {
  readonly name: string;
  /** @throws {BadInput} when the value cannot be used */
  findSeries(value: unknown, viewer: Viewer): Promise<readonly number[]>;
}
export const SeriesFacets = extensionPoint<SeriesFacet>("seriesFacets", "1.0.0");

/** Whoever gets missing issues. */
export interface IssueGetter {
  /** Starts to get these issues for this user. @returns how many were queued */
  queue(issueIds: readonly number[], viewer: Viewer): Promise<number>;
  /** How far issues are on their way: `queued`, `downloading`, `failed` and so on; those that nobody asked for are left out. */
  findStates(issueIds: readonly number[]): Promise<ReadonlyArray<{ readonly issueId: number; readonly status: string }>>;
}
export const IssueGetters = extensionPoint<IssueGetter>("issueGetters", "1.0.0");

export { Catalog } from "./catalog-contract.js";
export type { AddVolumeRequest, CatalogContract, ProviderIssue, ProviderIssueDetail, ProviderVolume, SeriesEvidence } from "./catalog-contract.js";

import { contract, extensionPoint, type Releasable, type Viewer } from "@longbox/sdk";
import type { IssueKind } from "./issues/issue-kind.js";

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

export type { IssueKind } from "./issues/issue-kind.js";

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
  /** Other titles under which it is searched for. */
  readonly aliases: readonly string[];
  /** Which issues are wanted by themselves: all, those from `monitorFrom` on, or none. */
  readonly monitor: "all" | "new" | "none";
  readonly monitorFrom: number | undefined;
  /** The folder that the series is pinned to or was found in; absolute. */
  readonly path: string | undefined;
}

/** A file that holds an issue. */
export interface Holding {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** The id of its format; undefined for what was read before formats were told. */
  readonly format: string | undefined;
  /** 0 where it has none. */
  readonly pages: number;
  /** How long it plays; undefined where it is not measured in time. */
  readonly seconds: number | undefined;
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
  /** How it is named, in the words of its type. */
  readonly label: IssueLabel;
  readonly coverDate: string | undefined;
  readonly owned: boolean;
  readonly corrupt: boolean;
  /** Pages of the holding that is read, 0 when nothing is owned. */
  readonly pages: number;
  /** How long it plays; undefined where it is not measured in time. */
  readonly seconds: number | undefined;
  /** A BCP 47 tag. */
  readonly language: string | undefined;
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
  /** 0 where it has none. */
  readonly pages: number;
  /** How long it plays. */
  readonly seconds?: number | undefined;
  /** The id of its format, such as `epub`. */
  readonly format?: string | undefined;
  readonly valid: boolean;
  readonly tagged: boolean;
  readonly error?: string | undefined;
  readonly series: {
    readonly name: string;
    /** The folder that holds the series' files; files of one folder and one name are one series. */
    readonly folder: string;
    /** Tells series of one title in one folder apart: `2018`, `v2`. Undefined for the first or only one. */
    readonly apart?: string | undefined;
    readonly year?: number | undefined;
    readonly volume?: number | undefined;
    readonly publisher?: string | undefined;
    readonly cvId?: number | undefined;
    readonly rightToLeft?: boolean | undefined;
    /** What others call it, by scheme; `cv` is {@link cvId}. */
    readonly ids?: Readonly<Record<string, string>> | undefined;
  };
  readonly issue: {
    /** Empty where it has none: then its title tells it from the others of the series. */
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
    /** What it is about: genres and topics. */
    readonly subjects?: readonly string[] | undefined;
    /** A BCP 47 tag. */
    readonly language?: string | undefined;
    readonly url?: string | undefined;
    /** What others call it, by scheme: `isbn`, `asin`, `openlibrary`; `cv` is {@link cvIssueId}. */
    readonly ids?: Readonly<Record<string, string>> | undefined;
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
  /** Genres and topics. */
  readonly subjects: readonly string[];
  readonly url: string | undefined;
}

/** An issue with everything that is known of it, for those who build an index. */
export interface CatalogIssue {
  readonly issue: Issue;
  readonly detail: IssueDetail;
  /** What others call it, by scheme. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** An issue that is wanted and not owned. */
export interface WantedIssue {
  readonly issue: Issue;
  readonly why: "monitored" | "picked" | "list" | "request";
  /** What was said when it was picked. */
  readonly reason: string | undefined;
  readonly storeDate: string | undefined;
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
  /** Every type that libraries can have now, with its words. */
  listLibraryTypes(): Promise<readonly DescribedLibraryType[]>;
  onLibrariesChanged(listener: (libraryIds: readonly number[]) => void): Releasable;

  findSeries(seriesId: number, viewer: Viewer): Promise<Series | undefined>;
  listSeries(query: SeriesQuery, viewer: Viewer): Promise<Page<Series>>;
  /** The tracked series of each title, in the order asked for; case, accents, punctuation and a leading article do not count. */
  findSeriesByTitles(titles: readonly string[], viewer: Viewer): Promise<ReadonlyArray<readonly Series[]>>;
  listPublishers(viewer: Viewer): Promise<ReadonlyArray<{ readonly publisher: string; readonly series: number }>>;
  /** Which users follow which of these series; series without followers are left out. */
  findFollowers(
    seriesIds: readonly number[],
  ): Promise<ReadonlyArray<{ readonly seriesId: number; readonly userId: number }>>;
  onSeriesChanged(listener: (seriesIds: readonly number[]) => void): Releasable;

  /** By the id that clients use; the negative id of an issue answers for ever, also after it was matched. */
  findIssue(cvIssueId: number, viewer: Viewer): Promise<Issue | undefined>;
  /** By the ids that clients use, each with the id it was asked by; those that are unknown or hidden are left out. */
  findIssuesByClientIds(
    cvIssueIds: readonly number[],
    viewer: Viewer,
  ): Promise<ReadonlyArray<{ readonly cvIssueId: number; readonly issue: Issue }>>;
  /** By internal ids; those that are gone or hidden are left out. */
  findIssues(issueIds: readonly number[], viewer: Viewer): Promise<readonly Issue[]>;
  /** What is known beyond; of issues that are gone nothing. */
  findIssueDetails(issueIds: readonly number[]): Promise<readonly IssueDetail[]>;
  /** Every issue of the series in reading order. */
  listIssues(seriesId: number, viewer: Viewer): Promise<readonly Issue[]>;
  /** The owned issues before and after this one in its series. */
  neighbours(
    issueId: number,
    viewer: Viewer,
  ): Promise<{ readonly previous: Issue | undefined; readonly next: Issue | undefined }>;
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
  /** By what others call them, such as `isbn`; each with the id it was asked by. `cv` finds by the provider's ids. */
  findIssuesByIds(
    scheme: string,
    values: readonly string[],
    viewer: Viewer,
  ): Promise<ReadonlyArray<{ readonly value: string; readonly issue: Issue }>>;
  /** What others call these issues, by scheme. */
  findIds(issueIds: readonly number[]): Promise<ReadonlyMap<number, Readonly<Record<string, readonly string[]>>>>;
  /**
   * Every issue of every tracked series, owned or not, by id: a part at a time.
   * @param range - `limit` is at most 1000; with `type` only issues of that library type
   */
  listIssuesAfter(
    range: { readonly afterId: number; readonly limit: number; readonly type?: LibraryType | undefined },
    viewer: Viewer,
  ): Promise<readonly CatalogIssue[]>;
  /** What is wanted and not owned, by id: a part at a time. @param range - `limit` is at most 1000 */
  listWanted(
    range: { readonly afterId: number; readonly limit: number; readonly followed?: boolean | undefined },
    viewer: Viewer,
  ): Promise<readonly WantedIssue[]>;
  /** Issues that nobody had are in the library now. Told once it is on disk, many at a time. */
  onIssuesOwned(listener: (issueIds: readonly number[]) => void): Releasable;
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

/** How the works of a type of library are spoken of, in every list, feed and page. English, lower case. */
export interface LibraryTypeWords {
  /** What one of them is called: issue, chapter, book, audiobook. */
  readonly unit: { readonly one: string; readonly other: string };
  /** How long they are: counted in pages, in seconds, or only by the share that was read. */
  readonly length: "pages" | "seconds" | "fraction";
  /** What people know them by: their number in the series, or their own title. */
  readonly named: "by-number" | "by-title";
}

/** How one issue is named, in the words of its type. */
export interface IssueLabel {
  /** Stands alone: `Moth Patrol #3`, `The Salt Road`. */
  readonly full: string;
  /** Stands below the series' name: `#3`, `The Salt Road`. */
  readonly short: string;
  /** What stands beneath: the issue's title, or a work's place in its series: `Low Tides, book 2`. */
  readonly within: string | undefined;
}

/** A type that libraries can have. */
export interface DescribedLibraryType {
  readonly id: string;
  readonly label: string;
  readonly words: LibraryTypeWords;
}

/** A kind of library that another plugin brings. */
export interface LibraryTypeContribution {
  readonly id: string;
  readonly label: string;
  /** Default: those of comics. */
  readonly words?: LibraryTypeWords | undefined;
}
export const LibraryTypes = extensionPoint<LibraryTypeContribution>("libraryTypes", "1.0.0");

/** Where covers come from; asked in the order of `rank`, lowest first, until one answers. */
export interface CoverSource {
  readonly rank: number;
  /** The image as it is, and a text that changes whenever the image does. */
  findCover(issue: {
    readonly issueId: number;
    readonly cvIssueId: number;
  }): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
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
  findStates(
    issueIds: readonly number[],
  ): Promise<ReadonlyArray<{ readonly issueId: number; readonly status: string }>>;
}
export const IssueGetters = extensionPoint<IssueGetter>("issueGetters", "1.0.0");

export { foldIssueNumber } from "./issues/issue-number.js";
export { Works } from "./works/works-contract.js";
export type { Work, WorksContract } from "./works/works-contract.js";
export { Covers } from "./covers/covers-contract.js";
export type { CoversContract, CoverShape, CoverSubject } from "./covers/covers-contract.js";
export { Catalog } from "./catalog/catalog-contract.js";
export type {
  AddVolumeRequest,
  CatalogContract,
  ProviderIssue,
  ProviderIssueDetail,
  ProviderVolume,
  SeriesEvidence,
} from "./catalog/catalog-contract.js";

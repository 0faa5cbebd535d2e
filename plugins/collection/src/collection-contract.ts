import type { Releasable, Viewer } from "@longbox/sdk";
import { contract } from "@longbox/sdk/light";
import type { CatalogIssue, Holding, Issue, IssueDetail, WantedIssue } from "./issues/issue-contract.js";
import type { DescribedLibraryType, Library, LibraryType } from "./libraries/library-contract.js";
import type { PlacedFile, ReadFile } from "./placing/placing-contract.js";
import type { ListedSeriesFacet, Series, SeriesQuery } from "./series/series-contract.js";

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/**
 * Libraries, series, issues and the files that hold them. Methods that take a viewer leave out what that viewer may not
 * know of.
 */
export interface CollectionContract {
  listLibraries(viewer: Viewer): Promise<readonly Library[]>;
  /** Every type that libraries can have now, with its words. */
  listLibraryTypes(): Promise<readonly DescribedLibraryType[]>;
  onLibrariesChanged(listener: (libraryIds: readonly number[]) => void): Releasable;
  /**
   * The real path of a folder of the server, when its content may be shown to users who choose the folder of a library.
   * @throws {BadInput} naming `path`
   */
  findShownFolder(path: string): Promise<string>;

  findSeries(seriesId: number, viewer: Viewer): Promise<Series | undefined>;
  listSeries(query: SeriesQuery, viewer: Viewer): Promise<Page<Series>>;
  /**
   * The tracked series of each title, in the order asked for; case, accents, punctuation and a leading article do not
   * count.
   */
  findSeriesByTitles(titles: readonly string[], viewer: Viewer): Promise<ReadonlyArray<readonly Series[]>>;
  listPublishers(viewer: Viewer): Promise<ReadonlyArray<{ readonly publisher: string; readonly series: number }>>;
  /** The facets that plugins contribute, each with its values where it lists them. */
  listSeriesFacets(viewer: Viewer): Promise<readonly ListedSeriesFacet[]>;
  /**
   * The series that a contributed facet finds.
   * @throws {BadInput} when there is no such facet, or its value cannot be used
   */
  findSeriesByFacet(name: string, value: unknown, viewer: Viewer): Promise<readonly number[]>;
  /** Which users follow which of these series; series without followers are left out. */
  findFollowers(
    seriesIds: readonly number[],
  ): Promise<ReadonlyArray<{ readonly seriesId: number; readonly userId: number }>>;
  /** How many issues of each of these series are owned; hidden series are left out. */
  countOwned(seriesIds: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, number>>;
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
  /** The details of issues; those that are gone are left out. */
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
   * Owned issues whose own titles have every word of the text, or words that begin so, by series and number. Case
   * counts only beyond a to z, accents count. @param limit - how many at most
   */
  searchIssues(text: string, limit: number, viewer: Viewer): Promise<readonly Issue[]>;
  /** The files of an issue, the one to read first. */
  listHoldings(issueId: number): Promise<readonly Holding[]>;
  /** The same for many issues at once; of each the file to read first comes first. */
  findHoldings(issueIds: readonly number[]): Promise<ReadonlyArray<Holding & { readonly issueId: number }>>;
  /** The ids of issues that have several readable files, in order: a part at a time. */
  listWithCopies(range: { readonly afterId: number; readonly limit: number }): Promise<readonly number[]>;
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
   * @param range - `limit` is at most 1000; `type`: only issues of that library type; `seriesIds`: only of these series
   */
  listIssuesAfter(
    range: {
      readonly afterId: number;
      readonly limit: number;
      readonly type?: LibraryType | undefined;
      readonly seriesIds?: readonly number[] | undefined;
    },
    viewer: Viewer,
  ): Promise<readonly CatalogIssue[]>;
  /**
   * What is wanted and not owned, by id: a part at a time.
   * @param range - `limit` is at most 1000; `followed`: only of series that the viewer follows; `among`: only these
   *   issues
   */
  listWanted(
    range: {
      readonly afterId: number;
      readonly limit: number;
      readonly followed?: boolean | undefined;
      readonly among?: readonly number[] | undefined;
    },
    viewer: Viewer,
  ): Promise<readonly WantedIssue[]>;
  /** Called with issues that are newly owned, in batches, after they have been stored. */
  onIssuesOwned(listener: (issueIds: readonly number[]) => void): Releasable;
  /** Called with owned issues that a provider has identified since: {@link findIds} has more of them. */
  onIssuesIdentified(listener: (issueIds: readonly number[]) => void): Releasable;
  /** An issue was merged into another: data of `from` belongs to `to` now. */
  onIssuesMerged(listener: (merge: { readonly from: number; readonly to: number }) => void): Releasable;

  /** Finds or makes the series and issues that these files hold, and records them. One transaction; safe to repeat. */
  placeFiles(files: readonly ReadFile[]): Promise<readonly PlacedFile[]>;
  /** Files that moved or were renamed keep their issue and hand assignment. */
  moveFiles(moves: ReadonlyArray<{ readonly from: string; readonly to: string }>): Promise<void>;
  /** Pins the folder of a series, whose file names no longer matter. Undefined removes the pin. */
  pinFolder(seriesId: number, folder: string | undefined): Promise<void>;
  /**
   * How many pages of these files readers do not show: they no longer count as pages of the files and their issues. The
   * number stays when a file is read again, moved or renamed. 0 counts all of them.
   */
  hidePages(files: ReadonlyArray<{ readonly path: string; readonly hidden: number }>): Promise<void>;
  /**
   * Files that are no longer there. Series made by a scan alone go with their last file, unless a user follows them.
   */
  removeFiles(paths: readonly string[]): Promise<void>;
}

export const Collection = contract<CollectionContract>("collection", "1.0.0");

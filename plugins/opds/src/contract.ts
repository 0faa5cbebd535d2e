import { extensionPoint, type Viewer } from "@longbox/sdk";

/** A part of something long: `offset` is counted from 0. */
export interface ShelfRange {
  readonly limit: number;
  readonly offset: number;
}

/** What every shelf says of itself. */
export interface ShelfDescription {
  /**
   * Lower-case words joined by hyphens, such as `reading-lists`; unique among shelves and stable, since reading apps
   * keep addresses: the shelf is at `/api/opds/shelves/{id}`.
   */
  readonly id: string;
  readonly title: string;
  /** One sentence, shown beneath the title. */
  readonly summary: string;
  /** The shelf is only there for viewers with this permission; by default for all users of the catalog. */
  readonly permission?: string | undefined;
}

/** A shelf that holds issues: one feed of publications. */
export interface IssueShelf extends ShelfDescription {
  readonly holds: "issues";
  /**
   * The ids ({@link Issue.id} of the collection, not the provider's) of all its issues, in the order of the shelf. The
   * catalog leaves out those that are not owned or that the viewer may not know of, then counts and pages; so a shelf
   * gives all of them to every viewer. Of more than 10 000 the catalog shows the first.
   */
  listIssues(viewer: Viewer): Promise<readonly number[]>;
}

/** One of the lists of a {@link ListShelf}. */
export interface ShelfList {
  /**
   * 1 to 64 letters, digits, `_` and `-`; unique in the shelf and stable: the list is at
   * `/api/opds/shelves/{shelf}/{id}`.
   */
  readonly id: string;
  readonly title: string;
  /** One sentence. It must not count what is hidden from the viewer. */
  readonly summary?: string | undefined;
  /** ISO 8601, UTC: when the list last changed. */
  readonly updatedAt?: string | undefined;
}

/** A shelf that holds lists of issues: a feed that leads to one feed of publications for each. */
export interface ListShelf extends ShelfDescription {
  readonly holds: "lists";
  /** A part of the lists that this viewer may know of, and how many there are in all. */
  listLists(
    range: ShelfRange,
    viewer: Viewer,
  ): Promise<{ readonly lists: readonly ShelfList[]; readonly total: number }>;
  /**
   * One list, with the ids of all its issues as {@link IssueShelf.listIssues} gives them; undefined when this viewer
   * has no such list.
   */
  findList(listId: string, viewer: Viewer): Promise<(ShelfList & { readonly issueIds: readonly number[] }) | undefined>;
}

export type CatalogShelf = IssueShelf | ListShelf;

/** Shelves that plugins add to the root of the catalog, in both versions of OPDS. */
export const CatalogShelves = extensionPoint<CatalogShelf>("catalogShelves", "1.0.0");

/** One file of a recording, in the order in which they are played. */
export interface RecordedFile {
  /** A path of this server that plays it, such as `/api/audiobooks/issue/1/stream?part=0`, with HTTP Basic too. */
  readonly path: string;
  readonly contentType: string;
  /** In seconds, more than 0. */
  readonly duration: number;
  readonly title?: string | undefined;
}

/** What plays when an issue is listened to. */
export interface CatalogRecording {
  readonly files: readonly RecordedFile[];
  /** `file` is counted from 0, `start` is in seconds from its beginning. */
  readonly chapters: ReadonlyArray<{ readonly title: string; readonly file: number; readonly start: number }>;
}

/** A plugin that plays recordings tells their files and chapters, for the manifest of an audiobook. */
export interface RecordingSource {
  /** Undefined for an issue that it does not play. Whether the viewer may know of the issue has been checked. */
  findRecording(issueId: number, viewer: Viewer): Promise<CatalogRecording | undefined>;
}

export const RecordingSources = extensionPoint<RecordingSource>("recordingSources", "1.0.0");

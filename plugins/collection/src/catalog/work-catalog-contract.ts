import type { Viewer } from "@longbox/sdk";
import type { IssueDetail } from "../issues/issue-contract.js";
import type { LibraryType } from "../libraries/library-contract.js";

/**
 * A work that is known by its title, such as a book, as a metadata provider knows it. Texts are free of markup that
 * could do harm.
 */
export interface ProviderWork {
  /** What the provider calls the work, and the edition where it is known: `openlibrary`, `OL1W` and `OL2M`. */
  readonly ids: { readonly scheme: string; readonly values: readonly string[] };
  readonly title: string;
  readonly authors: readonly string[];
  readonly series?: { readonly name: string; readonly number: string } | undefined;
  readonly description?: string | undefined;
  /** Genres and topics. */
  readonly subjects: readonly string[];
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
  /** `2019`, `2019-05` or `2019-05-01`. */
  readonly publishedOn?: string | undefined;
  readonly url?: string | undefined;
}

/** What was known of an issue before a provider described it. */
export interface BeforeWork {
  readonly detail: Omit<IssueDetail, "issueId" | "storeDate">;
  readonly language: string | undefined;
  readonly coverDate: string | undefined;
}

export interface AddWorkRequest {
  readonly viewer: Viewer;
  /** A new series is of the first library that has one of these types. */
  readonly libraryTypes: readonly LibraryType[];
  readonly why: "picked" | "list" | "request";
  readonly reason?: string | undefined;
  /** Whether it is also downloaded, where the viewer may do that. */
  readonly download: boolean;
}

/** How a metadata provider writes what it knows of single works, whose series are only their authors or shelves. */
export interface WorkCatalogContract {
  /**
   * Describes an issue as this work. Its title, number and files stay as they are; people in other roles than author,
   * and what the provider leaves out, stay as well. A wanted issue of the same type that has one of the ids becomes
   * this one, since it has arrived.
   * @returns what was known before, for {@link forgetWork}
   * @throws {NotFound} `collection/issue-not-found`
   */
  describeWork(issueId: number, work: ProviderWork, viewer: Viewer): Promise<BeforeWork>;
  /**
   * Takes back what a provider said of an issue: its ids of this scheme, and its details.
   * @throws {NotFound} as above
   */
  forgetWork(
    issueId: number,
    former: { readonly scheme: string; readonly before: BeforeWork },
    viewer: Viewer,
  ): Promise<void>;
  /**
   * Wants a work that the library lacks, in its series or among the works of its author. Needs `downloads.grab` or
   * `library.manage`.
   * @throws {LongboxError} `collection/may-not-want`
   * @throws {NotFound} `collection/work-not-found` when the library has it, hidden from the viewer
   */
  addWork(
    work: ProviderWork,
    request: AddWorkRequest,
  ): Promise<{ readonly seriesId: number; readonly issueId: number; readonly queued: number }>;
}

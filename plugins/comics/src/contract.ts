import { contract, type Content } from "@longbox/sdk";

export { ArchiveReaders } from "./contract/archive-readers.js";
export type {
  ArchiveEntry,
  ArchiveExtraction,
  ArchiveListing,
  ArchiveProblem,
  ArchiveReader,
  ArchiveReaderModule,
} from "./contract/archive-readers.js";

export interface PageDescription {
  /** The entry's name inside the archive. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** The pages of one issue, in reading order. */
export interface PageList {
  /** Changes whenever the file does. */
  readonly validator: string;
  readonly pages: readonly PageDescription[];
  /** The tags say that pages run from right to left. */
  readonly rightToLeft: boolean;
}

/**
 * The pages of issues, in archives of all kinds. Nothing is hidden: before you call a method for a user, ask
 * `collection.findIssues(ids, viewer)`, which leaves out the issues that are hidden from that user.
 */
export interface PagesContract {
  /** The ids of the file formats whose pages can be given. */
  listFormats(): Promise<readonly string[]>;
  /**
   * The page list of the issue's best file; undefined when nothing readable is owned. Opened archives are kept for a
   * while.
   * @throws {LongboxError} `comics/no-reader` when all that is owned waits for a reader of its kind
   */
  findPages(issueId: number): Promise<PageList | undefined>;
  /**
   * Tells of the issue's best file without opening it: the validator that its page list has, and how many pages the
   * last scan counted. Undefined when nothing readable is owned.
   */
  findVersion(issueId: number): Promise<{ readonly validator: string; readonly pages: number } | undefined>;
  /**
   * One page, counted from 0. A stored page comes as a slice of the file, so that its bytes can go to the client as
   * they are; `validator` is that of the list it belongs to. Who has just asked for the version gives its validator as
   * `known`, so that the file is not looked at again.
   * @throws {NotFound} `comics/no-pages` or `comics/no-such-page`
   * @throws {LongboxError} `comics/unreadable` when the archive is damaged at that page, `comics/no-reader` when no
   * plugin that runs reads archives of its kind
   */
  readPage(
    issueId: number,
    page: number,
    known?: string,
  ): Promise<{ readonly content: Content; readonly validator: string }>;
  /** The page's bytes, for callers that inspect them. */
  readPageBytes(
    issueId: number,
    page: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string; readonly validator: string }>;
}

export const Pages = contract<PagesContract>("comics.pages", "1.0.0");

/** How a page is wanted. */
export interface PageShape {
  /** Pixels; snapped up to one of a few sizes, never enlarged. */
  readonly width?: number | undefined;
  /** Cuts plain borders, never art. */
  readonly trim?: boolean | undefined;
  /** The client's `Accept` header. */
  readonly accept?: string | undefined;
  /** Nothing but JPEG, PNG or GIF, unless `accept` names the page's own type: for clients that show no other. */
  readonly plain?: boolean | undefined;
}

/** A page of an issue, counted from 0, as it is wanted. */
export interface WantedPage {
  readonly issueId: number;
  readonly page: number;
  readonly shape: PageShape;
}

export interface DescribedPage {
  /** Changes with the file and with everything that shapes the bytes. */
  readonly validator: string;
  /** Changes with the file: that of {@link PagesContract.findVersion}. */
  readonly version: string;
  /** How many pages the last scan counted; whether there are more, only the opened file tells. */
  readonly pages: number;
}

/**
 * Pages in the sizes and formats that clients want. What is made is kept, and the pages that follow are prepared.
 * Nothing is hidden, as in {@link PagesContract}.
 */
export interface RenderedPagesContract {
  /** Tells of a page without opening anything; undefined when nothing readable is owned of the issue. */
  describe(wanted: WantedPage): Promise<DescribedPage | undefined>;
  /**
   * @param options - `version`: that of the description, so that the file is not looked at again
   * @throws {NotFound} `comics/no-pages` or `comics/no-such-page`; the signal's reason when it aborts first
   * @throws {LongboxError} `comics/changed` when another file took the place of the described one
   */
  read(
    wanted: WantedPage,
    options?: { readonly signal?: AbortSignal | undefined; readonly version?: string | undefined },
  ): Promise<Content>;
}

export const RenderedPages = contract<RenderedPagesContract>("comics.rendered", "1.0.0");

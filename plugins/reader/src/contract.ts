import { contract, type Content, type Releasable, type Viewer } from "@longbox/sdk";

export interface IssueProgress {
  readonly issueId: number;
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
  readonly readAt: string;
}

/** How far users have read. Progress belongs to the issue, not to a file. */
export interface ReadingProgressContract {
  findProgress(userId: number, issueIds: readonly number[]): Promise<readonly IssueProgress[]>;
  /**
   * Records a page; never goes back. For protocols that only stream pages.
   * @param readAt - ISO 8601: when it was read, for programs that tell of it later; never in the future. Default: now
   */
  advance(userId: number, issueId: number, page: number, pages: number, readAt?: string): Promise<void>;
  /** Issues begun and not finished, last read first. */
  listContinue(viewer: Viewer, range: { readonly limit: number; readonly offset: number }): Promise<{ readonly issueIds: readonly number[]; readonly total: number }>;
  listLater(viewer: Viewer, range: { readonly limit: number; readonly offset: number }): Promise<{ readonly issueIds: readonly number[]; readonly total: number }>;
  onProgress(listener: (change: { readonly userId: number; readonly issueId: number }) => void): Releasable;
}

export const ReadingProgress = contract<ReadingProgressContract>("reader.progress", "1.0.0");

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

/** Pages in the sizes and formats that clients want. What is made is kept, and the pages that follow are prepared. */
export interface RenderedPagesContract {
  /**
   * Tells of one page, counted from 0, without opening anything; undefined when nothing readable is owned or there is
   * no such page. `validator` changes with the file and with everything that shapes the bytes.
   */
  describe(issueId: number, page: number, shape: PageShape): Promise<{ readonly validator: string; readonly pages: number } | undefined>;
  /** @throws {NotFound} when there is no such page; the signal's reason when it aborts first */
  read(issueId: number, page: number, shape: PageShape, signal?: AbortSignal): Promise<Content>;
}

export const RenderedPages = contract<RenderedPagesContract>("reader.pages", "1.0.0");

import { contract, type Releasable, type Viewer } from "@longbox/sdk";

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
  /** Records a page; never goes back. For protocols that only stream pages. */
  advance(userId: number, issueId: number, page: number, pages: number): Promise<void>;
  /** Issues begun and not finished, last read first. */
  listContinue(viewer: Viewer, range: { readonly limit: number; readonly offset: number }): Promise<{ readonly issueIds: readonly number[]; readonly total: number }>;
  listLater(viewer: Viewer, range: { readonly limit: number; readonly offset: number }): Promise<{ readonly issueIds: readonly number[]; readonly total: number }>;
  onProgress(listener: (change: { readonly userId: number; readonly issueId: number }) => void): Releasable;
}

export const ReadingProgress = contract<ReadingProgressContract>("reader.progress", "1.0.0");

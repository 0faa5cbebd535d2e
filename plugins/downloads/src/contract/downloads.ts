import { contract, type Viewer } from "@longbox/sdk";

/** A release that a search found, with what was decided about it. */
export interface SearchResult {
  /** Kept for a day, for the viewer who searched. */
  readonly id: string;
  /** The name of its source. */
  readonly source: string;
  readonly title: string;
  /** In bytes; undefined where the source does not say. */
  readonly size: number | undefined;
  readonly score: number;
  readonly seeders: number | undefined;
  /** In days. */
  readonly age: number | undefined;
  readonly pack: boolean;
  /** Nothing speaks against taking it without asking a person. */
  readonly accepted: boolean;
  readonly reasons: ReadonlyArray<{ readonly code: string; readonly text: string; readonly against: boolean }>;
  /** The issues that a pack holds, as far as it is known. */
  readonly issues: ReadonlyArray<{
    readonly number: string;
    readonly cvIssueId: number;
    readonly wanted: boolean;
    readonly owned: boolean;
  }>;
}

export interface SearchRequest {
  readonly seriesId: number;
  /** The id that clients use; undefined for the whole series. */
  readonly cvIssueId?: number | undefined;
  /** What a person typed in place of the series' title, at most 200 characters. */
  readonly query?: string | undefined;
  readonly packs?: boolean | undefined;
  /** Only sources of these kinds are asked. */
  readonly kinds?: ReadonlyArray<"site" | "catalog" | "usenet" | "torrent"> | undefined;
}

/** Searching and getting, for plugins with searches of their own. */
export interface DownloadsContract {
  /** @throws {NotFound} `downloads/series-not-found`, `downloads/issue-not-found`, also for what the viewer may not know of */
  search(request: SearchRequest, viewer: Viewer): Promise<readonly SearchResult[]>;
  /**
   * Queues a result, a rejected one too: a person decided.
   * @returns the id of the queue's item
   * @throws {LongboxError} `downloads/result-not-found`, `downloads/already-queued`, `downloads/issue-not-found`
   */
  grab(
    resultId: string,
    target: { readonly seriesId: number; readonly cvIssueId?: number | undefined },
    viewer: Viewer,
  ): Promise<{ readonly id: number }>;
  /** Queues missing issues. @returns how many are new in the queue */
  queue(issueIds: readonly number[], viewer: Viewer): Promise<number>;
}
export const Downloads = contract<DownloadsContract>("downloads", "1.0.0");

import { contract, type Viewer } from "@longbox/sdk";
import { z } from "zod";

const count = z.number().int().nonnegative();

/** A release that a search found, with what was decided about it: also what routes that search answer with. */
export const searchResultSchema = z.object({
  id: z.string().meta({ description: "Kept for a day, for the user who searched" }),
  source: z.string().meta({ description: "The name of its source" }),
  title: z.string(),
  size: count.optional().meta({ description: "In bytes" }),
  score: z.number().int(),
  seeders: count.optional(),
  age: count.optional().meta({ description: "In days" }),
  pack: z.boolean(),
  accepted: z.boolean().meta({ description: "Nothing speaks against taking it without asking a person" }),
  reasons: z.array(z.object({ code: z.string(), text: z.string(), against: z.boolean() })),
  issues: z
    .array(
      z.object({
        number: z.string(),
        label: z.string().meta({ description: "As its type of library names it: `#3`, `The Salt Road`" }),
        cvIssueId: z.number().int(),
        wanted: z.boolean(),
        owned: z.boolean(),
      }),
    )
    .meta({ description: "What a pack holds, as far as it is known" }),
});
export type SearchResult = z.output<typeof searchResultSchema>;

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
  /**
   * @throws {NotFound} `downloads/series-not-found`, `downloads/issue-not-found`, also for what the viewer may not know
   * of
   */
  search(request: SearchRequest, viewer: Viewer): Promise<SearchResult[]>;
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

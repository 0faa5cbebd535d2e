import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, indexParameter, signedIdParameter, type Logger, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { IssuePageNotFound } from "../opds-errors.js";
import { getOwned } from "../owned-issue.js";
import { pageStreaming } from "../places.js";
import type { StreamedPages } from "../streamed-pages.js";
import { common, width } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly streamed: StreamedPages;
  readonly reading: ReadingContract;
  readonly log: Logger;
  /** Whether streaming a page counts as reading it. */
  readonly countsReading: () => boolean;
}

/** Pages fetched smaller than this are a client's thumbnails, not reading. */
const smallestRead = 400;

/** Pages of issues, one by one. */
export function pageRoutes(sources: Sources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: "/api/opds/issue/{cvIssueId}/page/{n}",
      summary: "One page of an issue, streamed",
      description: "Counted from 0. JPEG, PNG or GIF, unless Accept names the type of the page.",
      params: z.object({ cvIssueId: signedIdParameter, n: indexParameter }),
      query: z.object({ w: width }),
      responseType: "image/*",
      handle: async ({ params, query, viewer, header, method, signal }) => {
        const issue = await getOwned(sources.library, params.cvIssueId, viewer);
        const shape = { width: query.w, accept: header("accept"), plain: true };
        const answer = await sources.streamed.answer({ issueId: issue.id, page: params.n, shape }, signal);
        if (!answer) throw new IssuePageNotFound(params.n, params.cvIssueId);
        const isRead = method === "GET" && (query.w ?? smallestRead) >= smallestRead;
        if (isRead && sources.countsReading())
          await advance(sources, viewer, { issue, page: params.n, pages: answer.pages });
        return answer.reply;
      },
    }),
  ];
}

/** A page is sent even when the position cannot be saved. */
async function advance(
  { reading, log }: Sources,
  viewer: Viewer,
  { issue, page, pages }: { issue: Issue; page: number; pages: number },
): Promise<void> {
  try {
    const position = { kind: "page", page, pages } as const;
    await reading.report(viewer, issue.id, { position, device: pageStreaming, onlyForward: true });
  } catch (problem) {
    log.warn("reading progress could not be saved", { issueId: issue.id, page, problem: String(problem) });
  }
}

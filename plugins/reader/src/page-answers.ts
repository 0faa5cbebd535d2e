import type { CollectionContract } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import type { PageShape } from "./contract.js";
import type { ReadablePages } from "./readable-pages.js";
import { NothingToRead, PageNotFound } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

interface PageRequest {
  readonly cvIssueId: number;
  readonly page: number;
  readonly shape: PageShape;
  /** The version that the client means; when it is the present one, the answer may be kept without asking again. */
  readonly version: string | undefined;
}

const monthSeconds = 30 * 86_400;

/** Answers with a page; whether the client has it already is known before anything is opened. @throws {IssueNotFound} @throws {NothingToRead} @throws {PageNotFound} */
export async function answerPage(sources: { library: CollectionContract; pages: PagesContract }, readable: ReadablePages, request: PageRequest, viewer: Viewer): Promise<Reply> {
  const { cvIssueId, page, shape, version } = request;
  const issue = await getIssue(sources.library, cvIssueId, viewer);
  const list = await sources.pages.findPages(issue.id);
  if (!list || list.pages.length === 0) throw new NothingToRead(cvIssueId);
  if (page >= list.pages.length) throw new PageNotFound(page, list.pages.length);
  const { validator, read } = await readable.choose(issue.id, page, shape, list);
  return reply.content(read, { validator, vary: ["Accept"], ...(version === list.validator && { maxAgeSeconds: monthSeconds }) });
}

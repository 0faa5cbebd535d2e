import type { CollectionContract } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import type { PageShape } from "./contract.js";
import type { ReadablePages } from "./readable-pages.js";
import { NothingToRead } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

interface PageRequest {
  readonly cvIssueId: number;
  readonly page: number;
  readonly shape: PageShape;
  /** The version that the client means; when it is the present one, the answer may be kept without asking again. */
  readonly version: string | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

const monthSeconds = 30 * 86_400;

/**
 * Answers with a page. Whether the client has it already is known before the archive is opened.
 * @throws {IssueNotFound} @throws {NothingToRead} @throws {NotFound} when there is no such page
 */
export async function answerPage(sources: { library: CollectionContract; pages: PagesContract }, readable: ReadablePages, request: PageRequest, viewer: Viewer): Promise<Reply> {
  const { cvIssueId, page, shape, version: meant, signal } = request;
  const issue = await getIssue(sources.library, cvIssueId, viewer);
  const version = await sources.pages.findVersion(issue.id);
  if (!version) throw new NothingToRead(cvIssueId);
  const { validator, read } = await readable.choose({ issueId: issue.id, page, shape, version });
  // A page that the last scan did not count may not exist: only the opened archive knows, whatever tags the client names.
  const known = page < version.pages ? { validator } : {};
  return reply.content(() => read(signal), { ...known, vary: ["Accept"], ...(meant === version.validator && { maxAgeSeconds: monthSeconds }) });
}

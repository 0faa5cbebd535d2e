import type { CollectionContract } from "@longbox/collection/contract";
import type { PageShape, RenderedPagesContract } from "@longbox/comics/contract";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import { NothingToRead } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

interface PageRequest {
  readonly cvIssueId: number;
  readonly page: number;
  readonly shape: PageShape;
  /**
   * The version that the client requests; when it is the current one, the answer may be cached without revalidation.
   */
  readonly version: string | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

const monthSeconds = 30 * 86_400;

/**
 * Answers with a page. Conditional requests are answered before the archive is opened.
 * @throws {IssueNotFound} @throws {NothingToRead} @throws {NotFound} when there is no such page
 */
export async function answerPage(
  { library, rendered }: { library: CollectionContract; rendered: RenderedPagesContract },
  request: PageRequest,
  viewer: Viewer,
): Promise<Reply> {
  const { cvIssueId, page, shape, version: meant, signal } = request;
  const issue = await getIssue(library, cvIssueId, viewer);
  const wanted = { issueId: issue.id, page, shape };
  const described = await rendered.describe(wanted);
  if (!described) throw new NothingToRead(cvIssueId);
  const { validator, version, pages } = described;
  // A page that the last scan did not count may not exist: only the opened archive knows, whatever tags the client
  // names.
  const known = page < pages ? { validator } : {};
  return reply.content(() => rendered.read(wanted, { signal, version }), {
    ...known,
    vary: ["Accept"],
    ...(meant === version && { maxAgeSeconds: monthSeconds }),
  });
}

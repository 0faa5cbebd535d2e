import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { IssueNotFound } from "./reader-errors.js";

/** How many issues are looked up at once. */
const batch = 200;

/** @throws {IssueNotFound} when there is no such issue for this viewer */
export async function getIssue(library: CollectionContract, cvIssueId: number, viewer: Viewer): Promise<Issue> {
  const issue = await library.findIssue(cvIssueId, viewer);
  if (!issue) throw new IssueNotFound(cvIssueId);
  return issue;
}

/** The visible issues of these records, in the same order, looked up in batches as they are consumed. */
export async function* visibleIssues<R extends { readonly issueId: number }>(
  library: CollectionContract,
  records: readonly R[],
  viewer: Viewer,
): AsyncGenerator<{ record: R; issue: Issue }> {
  for (let start = 0; start < records.length; start += batch) {
    const part = records.slice(start, start + batch);
    const issues = new Map(
      (
        await library.findIssues(
          part.map((record) => record.issueId),
          viewer,
        )
      ).map((issue) => [issue.id, issue]),
    );
    for (const record of part) {
      const issue = issues.get(record.issueId);
      if (issue) yield { record, issue };
    }
  }
}

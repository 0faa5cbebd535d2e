import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { NothingOwned } from "./opds-errors.js";

/** @throws {NothingOwned} also for a hidden issue */
export async function getOwned(library: CollectionContract, cvIssueId: number, viewer: Viewer): Promise<Issue> {
  const issue = await library.findIssue(cvIssueId, viewer);
  if (!issue?.owned) throw new NothingOwned(cvIssueId);
  return issue;
}

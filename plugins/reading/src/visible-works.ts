import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { inBatches, systemViewer, type Viewer } from "@longbox/sdk";
import { WorkNotFound } from "./reading-errors.js";

/** The visible works of these ids, by id. */
export async function visibleWorks(
  library: CollectionContract,
  issueIds: readonly number[],
  viewer: Viewer,
): Promise<Map<number, Issue>> {
  const works = new Map<number, Issue>();
  for (const ids of inBatches(issueIds))
    for (const issue of await library.findIssues(ids, viewer)) works.set(issue.id, issue);
  return works;
}

/** All of them. @throws {WorkNotFound} when one is hidden or does not exist */
export async function getWorks(
  library: CollectionContract,
  issueIds: readonly number[],
  viewer: Viewer,
): Promise<Issue[]> {
  const works = await visibleWorks(library, issueIds, viewer);
  return issueIds.map((id) => {
    const work = works.get(id);
    if (!work) throw new WorkNotFound(id);
    return work;
  });
}

export async function getWork(library: CollectionContract, issueId: number, viewer: Viewer): Promise<Issue> {
  return (await getWorks(library, [issueId], viewer))[0]!;
}

/** The works among these that exist but are hidden. Works that were removed from the library are not hidden. */
export async function hiddenWorks(
  library: CollectionContract,
  issueIds: readonly number[],
  viewer: Viewer,
): Promise<ReadonlySet<number>> {
  if (viewer.seesRestricted) return new Set();
  const visible = await visibleWorks(library, issueIds, viewer);
  const others = issueIds.filter((id) => !visible.has(id));
  return new Set((await visibleWorks(library, others, systemViewer)).keys());
}

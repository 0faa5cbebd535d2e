import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { systemViewer, type Viewer } from "@longbox/sdk";
import { slices } from "./keeping/slices.js";
import { WorkNotFound } from "./reading-errors.js";

/** The works of these ids that the viewer may know of, by id. */
export async function visibleWorks(
  library: CollectionContract,
  issueIds: readonly number[],
  viewer: Viewer,
): Promise<Map<number, Issue>> {
  const works = new Map<number, Issue>();
  for (const ids of slices(issueIds))
    for (const issue of await library.findIssues(ids, viewer)) works.set(issue.id, issue);
  return works;
}

/** All of them. @throws {WorkNotFound} when the viewer may not know of one, or it is not there */
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

/** Those of the works that are there and hidden from the viewer; what is gone from the library was read all the same. */
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

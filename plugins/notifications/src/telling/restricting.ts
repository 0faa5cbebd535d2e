import type { CollectionContract } from "@longbox/collection/contract";
import { inBatches, publicViewer } from "@longbox/sdk";
import type { NoticeRecords } from "../keeping/notice-records.js";

/** Hides or shows the notifications that name series whose restriction changed or that were removed. */
export async function followRestrictions(
  notices: NoticeRecords,
  library: Pick<CollectionContract, "findSeries">,
  seriesIds: readonly number[],
): Promise<number[]> {
  const users = new Set<number>();
  for (const some of inBatches(seriesIds)) {
    const named = await notices.namedAmong(some);
    if (named.length === 0) continue;
    const restricted = new Set<number>();
    for (const id of named) if (!(await library.findSeries(id, publicViewer))) restricted.add(id);
    for (const userId of await notices.restrict(named, restricted)) users.add(userId);
  }
  return [...users];
}

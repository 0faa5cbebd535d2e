import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Chance } from "./chance.js";

const parts = 5;
const perPart = 20;
/** Further back, a part of the list costs more than a quest is worth. */
const furthest = 20_000;

/** Some of what a user may read, from all over the library: a few neighbours at a few random places. */
export async function sampleOf(library: CollectionContract, viewer: Viewer, chance: Chance): Promise<Issue[]> {
  const first = await library.listRecentlyAdded({ limit: perPart, offset: 0 }, viewer);
  const range = Math.min(first.total, furthest) - perPart;
  const offsets = range > 0 ? Array.from({ length: parts }, () => Math.floor(chance.next() * (range + 1))) : [];
  const found = new Map(first.items.map((issue) => [issue.id, issue]));
  for (const offset of offsets) {
    const part = await library.listRecentlyAdded({ limit: perPart, offset }, viewer);
    for (const issue of part.items) found.set(issue.id, issue);
  }
  return chance.shuffle([...found.values()].filter(isReadable));
}

export function isReadable({ owned, corrupt, pages, seconds }: Issue): boolean {
  return owned && !corrupt && (pages > 0 || (seconds ?? 0) > 0);
}

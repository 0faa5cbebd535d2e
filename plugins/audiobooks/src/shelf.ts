import type { CollectionContract } from "@longbox/collection/contract";
import type { CatalogShelf } from "@longbox/opds/contract";
import { audiobookType } from "./formats.js";

const atOnce = 1000;

/** All audiobooks in the catalogs for reading apps, which leave out what a viewer may not see. */
export function audiobookShelf(library: Pick<CollectionContract, "listIssuesAfter">): CatalogShelf {
  return {
    id: "all-audiobooks",
    title: "All audiobooks",
    summary: "Every audiobook of the library",
    holds: "issues",
    permission: "audiobooks.use",
    async listIssues(viewer) {
      const ids: number[] = [];
      for (let more = true; more;) {
        const range = { afterId: ids.at(-1) ?? 0, limit: atOnce, type: audiobookType };
        const part = await library.listIssuesAfter(range, viewer);
        ids.push(...part.map(({ issue }) => issue.id));
        more = part.length === atOnce;
      }
      return ids;
    },
  };
}

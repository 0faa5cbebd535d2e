import type { CollectionContract } from "@longbox/collection/contract";
import type { CatalogShelf } from "@longbox/opds/contract";

const atOnce = 1000;

/**
 * All books in the catalogs for reading apps. The catalog itself leaves out what a viewer may not see, and adds the
 * download.
 */
export function textBookShelf(library: CollectionContract, type: string): CatalogShelf {
  return {
    id: "text-books",
    title: "Text books",
    summary: "Books in plain text",
    holds: "issues",
    async listIssues(viewer) {
      const ids: number[] = [];
      for (let more = true; more;) {
        const part = await library.listIssuesAfter({ afterId: ids.at(-1) ?? 0, limit: atOnce, type }, viewer);
        ids.push(...part.map(({ issue }) => issue.id));
        more = part.length === atOnce;
      }
      return ids;
    },
  };
}

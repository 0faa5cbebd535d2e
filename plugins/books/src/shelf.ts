import type { CollectionContract } from "@longbox/collection/contract";
import type { CatalogShelf } from "@longbox/opds/contract";
import { bookType } from "./formats/book-formats.js";

const atOnce = 1000;

/**
 * All books by title in the catalogs for reading apps, whose own shelf of books is one of series. The catalog leaves
 * out what a viewer may not see, and adds covers and downloads.
 */
export function bookShelf(library: CollectionContract): CatalogShelf {
  return {
    id: "all-books",
    title: "All books",
    summary: "Every book, by title",
    holds: "issues",
    async listIssues(viewer) {
      const found: Array<{ readonly id: number; readonly title: string }> = [];
      for (let more = true; more;) {
        const range = { afterId: found.at(-1)?.id ?? 0, limit: atOnce, type: bookType.id };
        const part = await library.listIssuesAfter(range, viewer);
        found.push(...part.map(({ issue }) => ({ id: issue.id, title: issue.title ?? issue.label.full })));
        more = part.length === atOnce;
      }
      const { compare } = new Intl.Collator("en", { numeric: true });
      return found.toSorted((one, other) => compare(one.title, other.title)).map(({ id }) => id);
    },
  };
}

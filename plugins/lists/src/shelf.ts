import type { ListShelf } from "@longbox/opds/contract";
import { ListNotFound } from "./errors.js";
import type { ReadingLists } from "./keeping/reading-lists.js";

/** The lists in the catalogs of reading apps: each is a feed, in the list's order. */
export function listShelf(lists: ReadingLists): ListShelf {
  return {
    id: "lists",
    title: "Reading lists",
    summary: "Reading orders",
    permission: "library.view",
    holds: "lists",
    async listLists(range, viewer) {
      const { rows, total } = await lists.list(viewer, range);
      return {
        lists: rows.map((row) => ({
          id: String(row.id),
          title: row.name,
          summary: `${row.owned} of ${row.items} ${row.items === 1 ? "item" : "items"} owned`,
          updatedAt: row.createdAt,
        })),
        total,
      };
    },
    async findList(listId, viewer) {
      if (!/^[1-9]\d{0,14}$/.test(listId)) return undefined;
      try {
        const record = await lists.readable(Number(listId), viewer);
        const items = await lists.items(record, viewer);
        return {
          id: listId,
          title: record.name,
          updatedAt: record.created_at,
          issueIds: [...new Set(items.flatMap(({ issue }) => (issue?.owned ? [issue.id] : [])))],
        };
      } catch (fault) {
        if (fault instanceof ListNotFound) return undefined;
        throw fault;
      }
    },
  };
}

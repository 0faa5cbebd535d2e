import type { Topic } from "@longbox/sdk";
import { ListNotFound } from "./errors.js";
import type { ListsContract, ReadingList } from "./contract.js";
import type { ReadingLists } from "./keeping/reading-lists.js";
import type { ListRow } from "./shapes.js";

/** Lists as other plugins see them. */
export function listsContract(lists: ReadingLists, changed: Topic<readonly number[]>): ListsContract {
  return {
    listLists: async (viewer) =>
      (await lists.list(viewer, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })).rows.map(toList),
    async findList(listId, viewer) {
      try {
        return toList(await lists.row(listId, viewer));
      } catch (fault) {
        if (fault instanceof ListNotFound) return undefined;
        throw fault;
      }
    },
    async listItems(listId, viewer) {
      const items = await lists.items(await lists.readable(listId, viewer), viewer);
      return items.map(({ record, issue }, index) => ({
        position: index + 1,
        cvIssueId: issue?.cvIssueId ?? record.cv_issue_id,
        issueId: issue?.id,
        series: issue?.seriesTitle ?? record.series ?? undefined,
        number: issue?.number ?? record.number ?? undefined,
        owned: issue?.owned ?? false,
      }));
    },
    onListsChanged: (listener) => changed.subscribe(listener),
  };
}

const toList = ({ id, name, public: isPublic, mine, createdAt, items, owned }: ListRow): ReadingList => ({
  id,
  name,
  public: isPublic,
  mine,
  createdAt,
  items,
  owned,
});

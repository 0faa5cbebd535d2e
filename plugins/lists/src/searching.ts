import { scoreTitle, type SearchProvider } from "@longbox/collection/contract";
import type { ListRecords } from "./keeping/list-records.js";

/** Finds the reading lists that a viewer can read, by their names. */
export function listSearch(records: ListRecords): SearchProvider {
  return {
    async search({ words }, viewer) {
      const lists = await records.listReadable(viewer.user.id);
      return lists.flatMap(({ id, name, user_id }) => {
        const score = scoreTitle(words, name);
        if (score === undefined) return [];
        const detail = user_id === viewer.user.id ? "Yours" : "Shared";
        return [{ group: { id: "lists", label: "Reading lists" }, title: name, detail, href: `/lists/${id}`, score }];
      });
    },
  };
}

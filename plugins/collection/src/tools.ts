import type { Tool } from "@longbox/operations/contract";
import type { Changes } from "./changes.js";
import { reindex } from "./searching/reindexing.js";
import type { SearchIndex } from "./searching/search-index.js";
import type { CollectionDatabase } from "./tables.js";

/** Maintenance of the collection that a person may start. */
export function reindexTool(database: CollectionDatabase, search: SearchIndex, changes: Changes): Tool {
  return {
    id: "reindex-series",
    title: "Reindex series",
    description: "Builds the search index of series anew and counts their issues and files anew",
    touchesFiles: false,
    async run(_, control) {
      const count = await reindex(database, search, control, { counters: true });
      changes.announceRecount();
      return `${count} series`;
    },
  };
}

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
    description: "Rebuilds the search index of series and recounts their issues and files",
    touchesFiles: false,
    resumes: true,
    async run(_, control) {
      const count = await reindex({ database, search }, control);
      changes.announceRecount();
      return `${count} series`;
    },
  };
}

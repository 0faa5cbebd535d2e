import type { Browsing } from "../browsing/browsing.js";
import type { ShelvesContract } from "../contract.js";
import { findShelf, ownedIds } from "./catalog-shelf.js";
import type { SavedShelves } from "./saved-shelves.js";

/** Kept shelves as other plugins see them. */
export function shelvesContract(saved: SavedShelves, browsing: Browsing): ShelvesContract {
  return {
    listShelves: async (viewer) =>
      (await saved.list(viewer)).map(({ id, name, mine, changedAt }) => ({ id, name, mine, changedAt })),
    async findIssues(shelfId, viewer) {
      const shelf = await findShelf(saved, shelfId, viewer);
      return shelf && (await ownedIds(shelf, browsing, viewer));
    },
  };
}

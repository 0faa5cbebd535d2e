import type { ListShelf } from "@longbox/opds/contract";
import type { Viewer } from "@longbox/sdk";
import type { Browsing } from "../browsing/browsing.js";
import { UnknownFacet, ShelfNotFound } from "../errors.js";
import type { KeptShelf, SavedShelves } from "./saved-shelves.js";

/** The catalog shows no more of one list. */
const mostIssues = 10_000;

/** Kept shelves in the catalogs of reading apps: what is owned of each. */
export function catalogShelf(saved: SavedShelves, browsing: Browsing): ListShelf {
  return {
    id: "smart-shelves",
    title: "Shelves",
    summary: "Selections of the library that keep themselves up to date",
    permission: "library.view",
    holds: "lists",
    async listLists({ offset, limit }, viewer) {
      const shelves = await saved.list(viewer);
      return { lists: shelves.slice(offset, offset + limit).map(toList), total: shelves.length };
    },
    async findList(listId, viewer) {
      const shelf = /^[1-9]\d{0,14}$/.test(listId) ? await findShelf(saved, Number(listId), viewer) : undefined;
      return shelf && { ...toList(shelf), issueIds: await ownedIds(shelf, browsing, viewer) };
    },
  };
}

/** Undefined when there is none, or when it is hidden from the viewer. */
export async function findShelf(saved: SavedShelves, id: number, viewer: Viewer): Promise<KeptShelf | undefined> {
  try {
    return await saved.get(id, viewer);
  } catch (fault) {
    if (fault instanceof ShelfNotFound) return undefined;
    throw fault;
  }
}

/** What is owned of a shelf. One with a facet of a plugin that is off now holds nothing until that plugin is back. */
export async function ownedIds(
  { selection, sort }: KeptShelf,
  browsing: Browsing,
  viewer: Viewer,
): Promise<readonly number[]> {
  const owned = { ...selection, values: { ...selection.values, owned: ["yes"] } };
  try {
    return (await browsing.ids(owned, { sort, offset: 0, limit: mostIssues }, viewer)).ids;
  } catch (fault) {
    if (fault instanceof UnknownFacet) return [];
    throw fault;
  }
}

const toList = ({ id, name, changedAt }: KeptShelf) => ({ id: String(id), title: name, updatedAt: changedAt });

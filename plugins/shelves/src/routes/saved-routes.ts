import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Browsing } from "../browsing/browsing.js";
import { UnknownFacet } from "../errors.js";
import type { KeptShelf, SavedShelves } from "../saved/saved-shelves.js";
import { itemPageSchema, keptShelfSchema, newShelfSchema, shelfChangeSchema, stripSchema } from "../shapes.js";
import type { Viewer } from "@longbox/sdk";
import { toRow } from "./item-rows.js";
import { pageQuery } from "./selection-query.js";

export interface SavedRouteParts {
  readonly saved: SavedShelves;
  readonly browsing: Browsing;
}

const params = z.object({ id: idParameter });
const itemsOfStrip = 24;

export function savedRoutes(parts: SavedRouteParts): Route[] {
  return [...listRoutes(parts), ...shelfRoutes(parts), ...changingRoutes(parts)];
}

function listRoutes({ saved, browsing }: SavedRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/saved",
      access: "library.view",
      summary: "Your kept selections, then those that others share",
      response: z.array(keptShelfSchema),
      handle: async ({ viewer }) => (await saved.list(viewer)).map(toRowOfShelf),
    }),
    defineRoute({
      method: "GET",
      path: "/api/shelves/strips",
      access: "library.view",
      summary: "The first items of each shelf on your home page",
      response: z.array(stripSchema),
      handle: async ({ viewer }) =>
        await Promise.all((await saved.onHomeOf(viewer)).map((shelf) => stripOf(shelf, browsing, viewer))),
    }),
  ];
}

function shelfRoutes({ saved, browsing }: SavedRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/saved/{id}",
      access: "library.view",
      summary: "One kept selection",
      params,
      response: keptShelfSchema,
      handle: async ({ params: { id }, viewer }) => toRowOfShelf(await saved.get(id, viewer)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/shelves/saved/{id}/items",
      access: "library.view",
      summary: "What a kept selection holds now",
      params,
      query: pageQuery.pick({ page: true, limit: true }),
      response: itemPageSchema,
      async handle({ params: { id }, query: { page, limit }, viewer }) {
        const { selection, sort } = await saved.get(id, viewer);
        const { items, total } = await browsing.items(selection, { sort, offset: page * limit, limit }, viewer);
        return { items: items.map(toRow), total, page, limit };
      },
    }),
  ];
}

function changingRoutes({ saved }: SavedRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/shelves/saved",
      access: "library.view",
      summary: "Keep a selection under a name",
      description: "`shared` needs the permission to share lists; others see of it what they may know of.",
      body: newShelfSchema,
      response: keptShelfSchema,
      handle: async ({ body, viewer }) => toRowOfShelf(await saved.create(body, viewer)),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/shelves/saved/{id}",
      access: "library.view",
      summary: "Change a kept selection of your own",
      params,
      body: shelfChangeSchema,
      response: keptShelfSchema,
      handle: async ({ params: { id }, body, viewer }) => toRowOfShelf(await saved.change(id, body, viewer)),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/shelves/saved/{id}",
      access: "library.view",
      summary: "Remove a kept selection of your own",
      params,
      response: z.object({ removed: z.boolean() }),
      async handle({ params: { id }, viewer }) {
        await saved.remove(id, viewer);
        return { removed: true };
      },
    }),
  ];
}

/** A shelf with a facet of a plugin that is off now is empty. */
async function stripOf(shelf: KeptShelf, browsing: Browsing, viewer: Viewer): Promise<z.output<typeof stripSchema>> {
  const range = { sort: shelf.sort, offset: 0, limit: itemsOfStrip };
  try {
    const { items, total } = await browsing.items(shelf.selection, range, viewer);
    return { shelf: toRowOfShelf(shelf), items: items.map(toRow), total };
  } catch (fault) {
    if (!(fault instanceof UnknownFacet)) throw fault;
    return { shelf: toRowOfShelf(shelf), items: [], total: 0 };
  }
}

function toRowOfShelf({ selection: { values, q }, ...shelf }: KeptShelf): z.output<typeof keptShelfSchema> {
  const copied = Object.fromEntries(Object.entries(values).map(([facet, some]) => [facet, [...some]]));
  return { ...shelf, selection: { values: copied, q } };
}

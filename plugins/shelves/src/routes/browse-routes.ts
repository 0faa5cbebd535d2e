import { randomInt } from "node:crypto";
import { defineRoute, pageParameters, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Browsing } from "../browsing/browsing.js";
import type { Recommending } from "../browsing/recommending.js";
import { readSelection } from "../browsing/selection.js";
import { BadSelection } from "../errors.js";
import {
  authorSchema,
  facetListSchema,
  facetsSchema,
  itemPageSchema,
  recommendedSchema,
  shelfItemSchema,
} from "../shapes.js";
import { toRecommended, toRow } from "./item-rows.js";
import { pageQuery, selectionQuery } from "./selection-query.js";

export interface BrowseRouteParts {
  readonly browsing: Browsing;
  readonly recommending: Recommending;
}

const facetQuery = selectionQuery.extend({
  facet: z.union([z.string().max(60), z.array(z.string().max(60)).max(30)]).optional(),
  find: z.string().trim().max(200).default(""),
  limit: pageParameters({ default: 20, max: 500 }).limit,
});
const chanceSteps = 2 ** 40;
const itemsOfReason = 12;

export function browseRoutes(parts: BrowseRouteParts): Route[] {
  return [itemsRoute(parts), ...facetRoutes(parts), authorsRoute(parts), ...suggestingRoutes(parts)];
}

function itemsRoute({ browsing }: BrowseRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/shelves/items",
    access: "library.view",
    summary: "The items of a selection, a page at a time",
    query: pageQuery,
    response: itemPageSchema,
    async handle({ query, viewer }) {
      const { page, limit, sort } = query;
      const range = { sort, offset: page * limit, limit };
      const { items, total } = await browsing.items(readSelection(query), range, viewer);
      return { items: items.map(toRow), total, page, limit };
    },
  });
}

function facetRoutes({ browsing }: BrowseRouteParts): Route[] {
  const ask = async (query: z.output<typeof facetQuery>, viewer: Parameters<Browsing["facets"]>[2]) => {
    const { facet, find, limit } = query;
    const only = facet === undefined ? [] : [facet].flat();
    return await browsing.facets(readSelection(query), { limit, only, find: oneLine(find, "find") }, viewer);
  };
  const description =
    "Counts of a facet do not depend on its own choices. `limit` is for each facet, `facet` asks for some, `find` for values with a text.";
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/facets",
      access: "library.view",
      summary: "How many items of a selection have each value of each facet",
      description,
      query: facetQuery,
      response: facetsSchema,
      handle: async ({ query, viewer }) =>
        Object.fromEntries((await ask(query, viewer)).map(({ name, values }) => [name, [...values]])),
    }),
    defineRoute({
      method: "GET",
      path: "/api/shelves/facet-list",
      access: "library.view",
      summary: "The same as a list in the order in which facets are shown, with their labels",
      description,
      query: facetQuery,
      response: facetListSchema,
      handle: async ({ query, viewer }) =>
        (await ask(query, viewer)).map((facet) => ({ ...facet, values: [...facet.values] })),
    }),
  ];
}

function authorsRoute({ browsing }: BrowseRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/shelves/authors",
    access: "library.view",
    summary: "Authors by name, with how many items each has",
    description: "`letter` is the first letter, `#` for anything else. X-Total-Count says how many there are.",
    query: z.object({
      type: z.string().max(60).optional(),
      library: z.string().max(20).optional(),
      letter: z.string().trim().max(4).optional(),
      q: z.string().trim().max(200).default(""),
      ...pageParameters({ default: 500, max: 5000 }),
    }),
    response: z.array(authorSchema),
    async handle({ query: { type, library, letter, q, limit, offset }, viewer }) {
      const chosen = readSelection({ type: type || undefined, library: library || undefined });
      const asked = { letter: letter ? oneLine(letter, "letter") : undefined, text: oneLine(q, "q") };
      const authors = await browsing.authors(chosen, asked, viewer);
      const some = authors.slice(offset, offset + limit).map(({ name, count }) => ({ name, count }));
      return reply.json(some, { "X-Total-Count": String(authors.length) });
    },
  });
}

function suggestingRoutes({ browsing, recommending }: BrowseRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/surprise",
      access: "library.view",
      summary: "One item of a selection by chance",
      query: selectionQuery,
      response: z.object({ item: shelfItemSchema.nullable() }),
      async handle({ query, viewer }) {
        const item = await browsing.pick(readSelection(query), randomInt(chanceSteps) / chanceSteps, viewer);
        return reply.json({ item: item ? toRow(item) : null }, { "Cache-Control": "no-store" });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/shelves/because",
      access: "library.view",
      summary: "Unread items that share people, characters or arcs with what the viewer finished last",
      response: z.array(recommendedSchema),
      handle: async ({ viewer }) => (await recommending.list(viewer, itemsOfReason)).map(toRecommended),
    }),
  ];
}

/** @throws {BadSelection} */
function oneLine(text: string, field: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new BadSelection(field, "must have no control characters");
  return text;
}

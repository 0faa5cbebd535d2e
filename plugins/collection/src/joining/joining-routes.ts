import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Joining } from "./joining.js";
import type { SplitSeries } from "./split-series.js";

const access = "library.manage";
const partSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  year: z.number().int().nullable(),
  owned: z.number().int(),
  /** Where its cover is. */
  cover: z.string(),
});
const joinedSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  joinedAt: z.string(),
  seriesId: z.number().int(),
  seriesTitle: z.string(),
});
export const splitSeriesSchema = z.object({
  offers: z.array(z.object({ from: partSchema, to: partSchema, reasons: z.array(z.string()) })),
  /** Newest first; each can be undone. */
  joined: z.array(joinedSchema),
});
const pair = z.object({ from: z.number().int().positive(), to: z.number().int().positive() });

/** Routes for series that are one and were split. */
export function joiningRoutes(joining: Joining, split: SplitSeries): Route[] {
  return [listRoute(joining, split), joinRoute(joining), apartRoute(joining), undoRoute(joining)];
}

function listRoute(joining: Joining, split: SplitSeries): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/split-series",
    access,
    summary: "Series that are probably one, with the reasons, and those that were joined",
    response: splitSeriesSchema,
    async handle({ viewer, signal }) {
      const withCover = <Part extends { readonly id: number }>(part: Part) => ({
        ...part,
        cover: `/api/collection/${part.id}/cover`,
      });
      const offers = await split.offers(viewer, signal);
      return {
        offers: offers.map(({ from, to, reasons }) => ({
          from: withCover(from),
          to: withCover(to),
          reasons: [...reasons],
        })),
        joined: await joining.list(viewer),
      };
    },
  });
}

function joinRoute(joining: Joining): Route {
  return defineRoute({
    method: "POST",
    path: "/api/library/split-series/join",
    access,
    summary: "Join a series into another one",
    description:
      "Its issues keep their ids, and with them what users read and collected of them; its followers follow the other one. Files stay where they are until they are reorganised. `id` is what undoing takes.",
    body: pair,
    response: z.object({ id: z.number().int(), seriesId: z.number().int() }),
    handle: async ({ body, viewer }) => ({ id: await joining.join(body, viewer), seriesId: body.to }),
  });
}

function apartRoute(joining: Joining): Route {
  return defineRoute({
    method: "POST",
    path: "/api/library/split-series/apart",
    access,
    summary: "Say that two series are two, so that they are not offered to be joined again",
    body: pair,
    response: z.object({ apart: z.literal(true) }),
    async handle({ body, viewer }) {
      await joining.keepApart(body, viewer);
      return { apart: true as const };
    },
  });
}

function undoRoute(joining: Joining): Route {
  return defineRoute({
    method: "POST",
    path: "/api/library/split-series/joined/{id}/undo",
    access,
    summary: "Make two series of a joined one again",
    description: "What came to the joined series since stays there.",
    params: z.object({ id: idParameter }),
    response: z.object({ seriesId: z.number().int() }),
    handle: async ({ params: { id }, viewer }) => ({ seriesId: await joining.undo(id, viewer) }),
  });
}

import type { CollectionContract } from "@longbox/collection/contract";
import { activitySchema, defineRoute, idParameter, pageParameters, type Route } from "@longbox/sdk";
import { z } from "zod";
import { namesFor } from "../keeping/item-names.js";
import type { QueueList } from "../keeping/queue-list.js";
import type { Live } from "../queue/live.js";
import type { Queueing } from "../queue/queueing.js";
import type { Switch } from "../queue/switch.js";
import { clearedSchema, itemSchema, packSchema, queuedSchema, queueSchema } from "../shapes.js";
import type { Clearing } from "../queue/clearing.js";
import { activeItem, itemRow, packRow, rowOf } from "./rows.js";

const access = "downloads.grab";
const params = z.object({ id: idParameter });
const rowSchema = z.union([itemSchema, packSchema]);
const priorities = { high: 1, normal: 0, low: -1 } as const;

export interface QueueRouteParts {
  readonly library: Pick<CollectionContract, "findIssues">;
  readonly list: QueueList;
  readonly live: Live;
  readonly queueing: Queueing;
  readonly clearing: Clearing;
  readonly pausing: Switch;
  readonly hasSources: () => boolean;
}

export function queueRoutes(parts: QueueRouteParts): Route[] {
  return [
    listRoute(parts),
    activityRoute(parts),
    ...itemRoutes(parts),
    ...orderRoutes(parts),
    ...pausingRoutes(parts),
    ...clearingRoutes(parts),
  ];
}

function listRoute({ library, list, live, pausing, hasSources }: QueueRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/queue",
    access,
    summary: "The queue by turn: what is open, then what failed, and the packs",
    query: z.object(pageParameters({ default: 200, max: 1000 })),
    response: queueSchema,
    handle: async ({ query, viewer }) => {
      const { seesRestricted } = viewer;
      const [items, packs, counts, total] = await Promise.all([
        list.list({ kind: "issue", ...query }, seesRestricted),
        list.list({ kind: "pack", limit: 200, offset: 0 }, seesRestricted),
        list.counts(seesRestricted),
        list.countOf("issue", seesRestricted),
      ]);
      const nameOf = await namesFor(library, items, viewer);
      return {
        paused: pausing.paused(),
        ...(!hasSources() && (counts.get("queued") ?? 0) > 0 && { reason: "No source is switched on." }),
        items: items.map((item) => itemRow(item, { live, nameOf })),
        packs: packs.map((pack) => packRow(pack, live)),
        total,
        counts: Object.fromEntries(counts),
      };
    },
  });
}

/** How many downloads the activity lists; the queue shows all. */
const mostActive = 4;
const activeStates = ["searching", "downloading", "grabbed", "importing"] as const;

function activityRoute({ library, list, live }: QueueRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/queue/activity",
    access,
    summary: "The downloads that are under way, for the frame of the web interface",
    response: activitySchema,
    handle: async ({ viewer }) => {
      const { seesRestricted } = viewer;
      const [items, counts] = await Promise.all([
        list.inStates(activeStates, { limit: mostActive, seesRestricted }),
        list.counts(seesRestricted),
      ]);
      const count = activeStates.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
      const nameOf = await namesFor(library, items, viewer);
      return { count, items: items.map((item) => activeItem(item, { live, nameOf })) };
    },
  });
}

function itemRoutes(parts: QueueRouteParts): Route[] {
  const { queueing, live } = parts;
  return [
    defineRoute({
      method: "POST",
      path: "/api/queue/retry/{id}",
      access,
      summary: "Try an item again, from the beginning",
      params,
      response: rowSchema,
      handle: async ({ params: { id }, viewer }) => rowOf(parts, await queueing.retry(id, viewer), viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/queue/cancel/{id}",
      access,
      summary: "Take an item out of the queue; it is not searched for again by itself",
      params,
      response: rowSchema,
      handle: async ({ params: { id }, viewer }) => rowOf(parts, await queueing.cancel(id, viewer), viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/grabs/{id}/cancel",
      access,
      summary: "Cancel a pack",
      params,
      response: packSchema,
      handle: async ({ params: { id }, viewer }) => {
        await queueing.getPack(id, viewer);
        return packRow(await queueing.cancel(id, viewer), live);
      },
    }),
  ];
}

function orderRoutes(parts: QueueRouteParts): Route[] {
  const { queueing } = parts;
  return [
    defineRoute({
      method: "PATCH",
      path: "/api/queue/{id}",
      access,
      summary: "Change the priority of an item, or pause it alone",
      params,
      body: z.object({ priority: z.enum(["high", "normal", "low"]).optional(), held: z.boolean().optional() }),
      response: rowSchema,
      handle: async ({ params: { id }, body, viewer }) => {
        const item = await queueing.prefer(
          id,
          {
            ...(body.priority !== undefined && { priority: priorities[body.priority] }),
            ...(body.held !== undefined && { held: body.held }),
          },
          viewer,
        );
        return rowOf(parts, item, viewer);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/queue/order",
      access,
      summary: "Put items before all others, in the order of the ids",
      body: z.object({ ids: z.array(z.number().int().positive()).min(1).max(1000) }),
      response: queuedSchema,
      handle: async ({ body, viewer }) => {
        await queueing.order(body.ids, viewer);
        return { queued: body.ids.length };
      },
    }),
  ];
}

function pausingRoutes({ pausing }: QueueRouteParts): Route[] {
  const pausedSchema = z.object({ paused: z.boolean() });
  return (["pause", "resume"] as const).map((what) =>
    defineRoute({
      method: "POST",
      path: `/api/queue/${what}`,
      access,
      summary: what === "pause" ? "Begin nothing new; what is under way goes on" : "Go on with the queue",
      response: pausedSchema,
      handle: async () => ({ paused: await pausing.set(what === "pause") }),
    }),
  );
}

function clearingRoutes({ clearing }: QueueRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/queue/clear",
      access,
      summary: "Take everything that waits for its turn out of the queue",
      response: clearedSchema,
      handle: async ({ viewer }) => ({ cleared: await clearing.clearQueued(viewer) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/retry-failed",
      access: "library.manage",
      summary: "Try everything again that failed",
      response: queuedSchema,
      handle: async ({ viewer }) => ({ queued: await clearing.retryFailed(viewer) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/clear-failed",
      access: "library.manage",
      summary: "Take everything that failed out of the list",
      response: clearedSchema,
      handle: async ({ viewer }) => ({ cleared: await clearing.clearFailed(viewer) }),
    }),
  ];
}

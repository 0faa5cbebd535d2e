import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { CollectionContract } from "@longbox/collection/contract";
import { findWanted } from "../deciding/wanted-issues.js";
import { SeriesNotFound } from "../errors.js";
import { idsOf, type Queueing } from "../queue/queueing.js";
import { queuedSchema } from "../shapes.js";

const access = "downloads.grab";
/** As many as one call may queue. */
const mostAtOnce = 500;
const ids = z.array(z.number().int()).max(mostAtOnce);
const named = z
  .object({ cvIssueIds: ids.optional(), issueIds: ids.optional() })
  .refine(({ cvIssueIds, issueIds }) => (cvIssueIds ?? issueIds) !== undefined, {
    path: ["issueIds"],
    message: "names no issues",
  });

export interface GettingRouteParts {
  readonly library: CollectionContract;
  readonly queueing: Queueing;
}

export function gettingRoutes(parts: GettingRouteParts): Route[] {
  return [...missingRoutes(parts), ...againRoutes(parts), wantedRoute(parts)];
}

function missingRoutes({ library, queueing }: GettingRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/download",
      access,
      summary: "Queue missing issues",
      body: z.object({ issueIds: ids.min(1) }),
      response: queuedSchema,
      handle: async ({ body, viewer }) => ({ queued: await queueing.queue(body.issueIds, viewer) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/download",
      access,
      summary: "Queue missing issues of a series",
      params: z.object({ id: idParameter }),
      body: z.object({ cvIssueIds: ids.min(1) }),
      response: queuedSchema,
      handle: async ({ params, body, viewer }) => {
        if (!(await library.findSeries(params.id, viewer))) throw new SeriesNotFound(params.id);
        const issueIds = await idsOf(library, body.cvIssueIds, viewer);
        const own = (await library.findIssues(issueIds, viewer)).filter(({ seriesId }) => seriesId === params.id);
        return {
          queued: await queueing.queue(
            own.map(({ id }) => id),
            viewer,
          ),
        };
      },
    }),
  ];
}

function againRoutes({ library, queueing }: GettingRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/redownload",
      access,
      summary: "Get owned issues of a series again; the files they have are replaced once the new ones are there",
      params: z.object({ id: idParameter }),
      body: z.object({ cvIssueIds: ids.optional() }).optional(),
      response: queuedSchema,
      handle: async ({ params, body, viewer }) => {
        if (!(await library.findSeries(params.id, viewer))) throw new SeriesNotFound(params.id);
        const named =
          body?.cvIssueIds === undefined ? undefined : new Set(await idsOf(library, body.cvIssueIds, viewer));
        const owned = (await library.listIssues(params.id, viewer)).filter(
          ({ owned: isOwned, id }) => isOwned && (named?.has(id) ?? true),
        );
        const chosen = owned.slice(0, mostAtOnce).map(({ id }) => id);
        return { queued: await queueing.queue(chosen, viewer, { replaces: true }) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/redownload",
      access,
      summary: "Get owned issues again; the files they have are replaced once the new ones are there",
      description: "`issueIds` are internal ids, `cvIssueIds` those that clients use.",
      body: named,
      response: queuedSchema,
      handle: async ({ body, viewer }) => {
        const issueIds = body.issueIds ?? (await idsOf(library, body.cvIssueIds ?? [], viewer));
        return { queued: await queueing.queue(issueIds, viewer, { replaces: true }) };
      },
    }),
  ];
}

function wantedRoute({ library, queueing }: GettingRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/wanted/download-all",
    access,
    summary: "Queue the wanted issues that fit, 500 at most",
    body: z
      .object({
        scope: z.enum(["wanted", "gaps"]).default("wanted"),
        followed: z.boolean().default(false),
        hideUnreleased: z.boolean().default(false),
        q: z.string().max(500).optional(),
        preview: z
          .boolean()
          .default(false)
          .meta({ description: "Queue nothing, and only say how many would be queued" }),
      })
      .prefault({}),
    response: queuedSchema,
    async handle({ body, viewer }) {
      const { preview, ...query } = body;
      const found = await findWanted(library, { ...query, q: query.q }, { viewer, limit: mostAtOnce });
      return { queued: preview ? await queueing.countNew(found, viewer) : await queueing.queue(found, viewer) };
    },
  });
}

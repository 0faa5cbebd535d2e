import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { ReadingContract } from "../contract.js";
import { badgedSchema, badgesOfIssues, badgesOfSeries } from "./badges.js";

const access = "library.view";
const mostIds = 10_000;
const ids = z.array(z.number().int().positive()).max(mostIds).default([]);
const works = z
  .object({ issueIds: ids, seriesIds: ids })
  .refine(({ issueIds, seriesIds }) => issueIds.length + seriesIds.length > 0, "must name issues or series");

export interface ReadingRouteParts {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
}

/** The routes of the web interface for the viewer's reading state. Ids are the field `id` of issues and series. */
export function readingRoutes(parts: ReadingRouteParts): Route[] {
  return [badgesRoute(parts), markRoute(parts), laterRoute(parts)];
}

function badgesRoute(parts: ReadingRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reading/badges",
    access,
    summary: "What the viewer has read of works or series, for their covers",
    description: "Hidden works and works without a file are left out.",
    body: z.object({ kind: z.enum(["issue", "series"]), ids: z.array(z.number().int().positive()).min(1).max(500) }),
    response: z.object({ items: z.array(badgedSchema) }),
    handle: async ({ body, viewer }) => ({
      items: await (body.kind === "issue" ? badgesOfIssues : badgesOfSeries)(parts, body.ids, viewer),
    }),
  });
}

function markRoute(parts: ReadingRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reading/mark",
    access,
    summary: "Mark works as read or unread, all of them or none",
    description: "Of a series all owned works are marked.",
    body: works.safeExtend({ read: z.boolean() }),
    response: z.object({ marked: z.number().int() }),
    handle: async ({ body, viewer }) => ({
      marked: await parts.reading.mark(viewer, await worksOf(parts.library, body, viewer), body.read),
    }),
  });
}

function laterRoute(parts: ReadingRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reading/later",
    access,
    summary: "Put works on the shelf of what to read later, or take them off",
    body: z.object({ issueIds: ids.pipe(z.array(z.number()).min(1)), later: z.boolean() }),
    response: z.object({ later: z.boolean() }),
    async handle({ body, viewer }) {
      for (const issueId of body.issueIds) await parts.reading.setLater(viewer, issueId, body.later);
      return { later: body.later };
    },
  });
}

async function worksOf(
  library: CollectionContract,
  { issueIds, seriesIds }: { readonly issueIds: readonly number[]; readonly seriesIds: readonly number[] },
  viewer: Viewer,
): Promise<readonly number[]> {
  const found = [...issueIds];
  for (const seriesId of seriesIds) {
    const issues = await library.listIssues(seriesId, viewer);
    found.push(...issues.filter(({ owned }) => owned).map(({ id }) => id));
  }
  return [...new Set(found)];
}

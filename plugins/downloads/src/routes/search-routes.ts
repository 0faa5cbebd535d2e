import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import { searchResultSchema } from "../contract.js";
import type { ManualSearch } from "../deciding/manual-search.js";
import type { Live } from "../queue/live.js";
import type { Queueing } from "../queue/queueing.js";
import { givenResult, itemSchema, packSchema } from "../shapes.js";
import { rowOf } from "./rows.js";

const access = "downloads.grab";
const seriesId = z.number().int().positive();
const cvIssueId = z.number().int().optional();
const query = z.string().trim().max(200).optional();
const results = z.array(searchResultSchema);

export interface SearchRouteParts {
  readonly library: Pick<CollectionContract, "findIssues">;
  readonly manual: ManualSearch;
  readonly queueing: Queueing;
  readonly live: Live;
}

export function searchRoutes(parts: SearchRouteParts): Route[] {
  return [...issueRoutes(parts), ...packRoutes(parts)];
}

function issueRoutes({ manual, queueing, ...parts }: SearchRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/search",
      access,
      summary: "Search every source for an issue, or for a series; rejected results say why",
      body: z.object({ seriesId, cvIssueId, query }),
      response: results,
      handle: ({ body, viewer, signal }) => manual.search(body, viewer, signal),
    }),
    defineRoute({
      method: "POST",
      path: "/api/search/grab",
      access,
      summary: "Queue a result of a search, a rejected one too",
      description: "Only the result's `id` counts: what is fetched is what the server kept of the search.",
      body: z.object({ result: givenResult, seriesId, cvIssueId }),
      response: z.union([itemSchema, packSchema]),
      handle: async ({ body, viewer }) => rowOf(parts, await queueing.grab(body.result.id, body, viewer), viewer),
    }),
  ];
}

function packRoutes({ manual, queueing }: SearchRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/packs/search",
      access,
      summary: "Search every source for packs of a series, with the issues that each holds",
      body: z.object({ seriesId, query }),
      response: results,
      handle: ({ body, viewer, signal }) => manual.search({ ...body, packs: true }, viewer, signal),
    }),
    defineRoute({
      method: "POST",
      path: "/api/packs/grab",
      access,
      summary: "Queue a pack: each file is placed by itself, the rest waits in the review of imports",
      body: z.object({ result: givenResult, seriesId }),
      response: z.object({ id: z.number().int() }),
      handle: async ({ body, viewer }) => ({ id: (await queueing.grab(body.result.id, body, viewer)).id }),
    }),
  ];
}

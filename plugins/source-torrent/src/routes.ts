import { searchResultSchema, type Downloads } from "@longbox/downloads/contract";
import { defineRoute, settingTestResult, type PluginSettings, type Provided, type Route } from "@longbox/sdk";
import { z } from "zod";
import { clientSchema, indexerSchema, type TorrentSettings } from "./settings.js";
import type { Testing } from "./testing.js";

const seriesId = z.number().int().positive();

export interface RouteParts {
  readonly downloads: Provided<typeof Downloads>;
  readonly testing: Testing;
  readonly settings: PluginSettings<TorrentSettings>;
}

export function torrentRoutes(parts: RouteParts): Route[] {
  return [...packRoutes(parts), ...testRoutes(parts)];
}

/** Kept for clients of older servers: the queue's own routes ask all sources, and not torrents alone. */
function packRoutes({ downloads }: RouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/torrent/search",
      access: "downloads.grab",
      summary: "Search the torrent indexers for packs of a series",
      body: z.object({ seriesId, query: z.string().trim().max(200).optional() }),
      response: z.array(searchResultSchema),
      handle: ({ body, viewer }) => downloads.search({ ...body, packs: true, kinds: ["torrent"] }, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/torrent/grab-pack",
      access: "downloads.grab",
      summary: "Queue a pack that a search for torrents found",
      description: "Only the result's `id` counts: what is fetched is what the server kept of the search.",
      body: z.object({ result: z.object({ id: z.string().min(1).max(100) }).loose(), seriesId }),
      response: z.object({ id: z.number().int() }),
      handle: async ({ body, viewer }) => downloads.grab(body.result.id, { seriesId: body.seriesId }, viewer),
    }),
  ];
}

function testRoutes({ testing, settings }: RouteParts): Route[] {
  const control = (signal: AbortSignal) => ({ signal, urgency: "person" as const });
  return [
    defineRoute({
      method: "POST",
      path: "/api/torznab/test",
      access: "settings.manage",
      summary: "Try a Torznab indexer with values that are not saved yet",
      body: indexerSchema,
      response: settingTestResult,
      handle: async ({ body, signal }) =>
        testing.indexer(settings.unmasked({ indexers: [body] }).indexers[0]!, control(signal)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/torrent-client/test",
      access: "settings.manage",
      summary: "Try a torrent client with values that are not saved yet",
      description: "Also whether this server can read the folder that the client saves to.",
      body: clientSchema,
      response: settingTestResult,
      handle: async ({ body, signal }) =>
        testing.client(settings.unmasked({ clients: [body] }).clients[0]!, control(signal)),
    }),
  ];
}

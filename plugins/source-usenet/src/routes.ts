import { searchResultSchema, type DownloadsContract } from "@longbox/downloads/contract";
import { defineRoute, settingTestResult, type PluginSettings, type Route } from "@longbox/sdk";
import { z } from "zod";
import { clientEntry, indexerEntry, type ClientEntry, type IndexerEntry, type UsenetSettings } from "./settings.js";

const seriesId = z.number().int().positive();
const cvIssueId = z.number().int().optional();
const id = z.string().max(64).default("");

export interface RouteParts {
  readonly downloads: DownloadsContract;
  readonly settings: PluginSettings<UsenetSettings>;
  readonly testIndexer: (entry: IndexerEntry, signal: AbortSignal) => Promise<z.output<typeof settingTestResult>>;
  readonly testClient: (entry: ClientEntry) => Promise<z.output<typeof settingTestResult>>;
}

export function usenetRoutes(parts: RouteParts): Route[] {
  return [searchRoute(parts), grabRoute(parts), indexerTestRoute(parts), clientTestRoute(parts)];
}

function searchRoute({ downloads }: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/usenet/search",
    access: "downloads.grab",
    summary: "Search the indexers of Usenet for an issue, or for a series; rejected results say why",
    body: z.object({ seriesId, cvIssueId, query: z.string().trim().max(200).optional() }),
    response: z.array(searchResultSchema),
    handle: ({ body, viewer }) => downloads.search({ ...body, kinds: ["usenet"] }, viewer),
  });
}

function grabRoute({ downloads }: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/usenet/grab",
    access: "downloads.grab",
    summary: "Queue a result of a search, a rejected one too",
    description: "Only the result's `id` counts: what is fetched is what the server kept of the search.",
    body: z.object({ result: z.object({ id: z.string().min(1).max(100) }).loose(), seriesId, cvIssueId }),
    response: z.object({ id: z.number().int().meta({ description: "The id of the queue's item" }) }),
    handle: ({ body: { result, ...target }, viewer }) => downloads.grab(result.id, target, viewer),
  });
}

const testing = "A masked secret stands for the stored one of the entry with the same id.";

function indexerTestRoute({ settings, testIndexer }: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/indexers/test",
    access: "settings.manage",
    summary: "Try an indexer of Usenet with values that are not saved yet",
    description: testing,
    body: indexerEntry.extend({ id }),
    response: settingTestResult,
    handle: ({ body, signal }) => testIndexer(settings.unmasked({ indexers: [body] }).indexers[0]!, signal),
  });
}

function clientTestRoute({ settings, testClient }: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/clients/test",
    access: "settings.manage",
    summary: "Try a download client of Usenet with values that are not saved yet",
    description: testing,
    body: clientEntry.extend({ id }),
    response: settingTestResult,
    handle: ({ body }) => testClient(settings.unmasked({ clients: [body] }).clients[0]!),
  });
}

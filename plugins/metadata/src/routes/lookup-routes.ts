import { BadInput, defineRoute, idParameter, reply, type Reply, type Route, type Viewer } from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import { z } from "zod";
import type { AskOptions } from "../contract.js";
import { toSummary, toVolumeRows } from "../describing.js";
import type { Images } from "../images.js";
import type { Lookups } from "../lookups.js";
import { readProviderId } from "../provider-id.js";
import { arcDocumentSchema, arcRowSchema, syncSchema, volumeDocumentSchema, volumeRowSchema } from "../shapes.js";
import type { Sync, SyncState } from "../sync.js";

const q = z.string().trim().min(1).max(300);
const params = z.object({ id: idParameter });
const pasted = z.object({ id: z.string().max(300) });
const arcImage = (arc: { id: number; imageUrl: string | undefined }) =>
  arc.imageUrl === undefined ? null : `/api/cv/arcs/${arc.id}/cover`;

export interface LookupRouteParts {
  readonly lookups: Lookups;
  readonly catalog: CatalogContract;
  readonly images: Images;
  readonly sync: Sync;
}

export function lookupRoutes(parts: LookupRouteParts): Route[] {
  return [
    syncRoute(parts),
    searchRoute(parts),
    volumeRoute(parts),
    volumeCoverRoute(parts),
    searchArcsRoute(parts),
    arcRoute(parts),
    arcCoverRoute(parts),
  ];
}

function syncRoute({ sync }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv",
    summary: "Read the state of the provider sync",
    description: "The counts are left out for users from whom series are hidden.",
    response: syncSchema,
    handle: async ({ viewer }) => stateFor(await sync.state(), viewer),
  });
}

/**
 * The message names the current series, and the counts include series that may be hidden; the error is for managers.
 */
function stateFor({ running, startedAt, finishedAt, error, ...told }: SyncState, viewer: Viewer) {
  const { message, ...counts } = told;
  const isManager = viewer.may("library.manage");
  return {
    running,
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(isManager && error !== undefined && { error }),
    ...(viewer.seesRestricted && counts),
    ...(isManager && viewer.seesRestricted && message !== undefined && { message }),
  };
}

function searchRoute({ lookups, catalog }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/search",
    summary: "Search the provider for volumes",
    description: "A volume's id or page address finds that volume.",
    query: z.object({ q }),
    response: z.array(volumeRowSchema),
    handle: async ({ query, viewer, signal }) => {
      const options = { urgency: "person", viewer, signal } as const;
      const id = /^\d+$/.test(query.q) ? undefined : readProviderId(query.q, "volume");
      const found =
        id === undefined
          ? await lookups.searchVolumes(query.q, options)
          : [toSummary(await lookups.getVolume(id, options))];
      return await toVolumeRows(found, catalog, viewer);
    },
  });
}

function volumeRoute({ lookups, catalog }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/volume/{id}",
    summary: "Read one volume of the provider",
    params: pasted,
    response: volumeDocumentSchema,
    handle: async ({ params, viewer, signal }) => {
      const id = readProviderId(params.id, "volume");
      if (id === undefined)
        throw new BadInput("metadata/bad-input", "id: must be a volume's id", { id: "must be a volume's id" });
      const volume = await lookups.getVolume(id, { urgency: "person", viewer, signal });
      const [row] = await toVolumeRows([toSummary(volume)], catalog, viewer);
      return {
        ...(row as NonNullable<typeof row>),
        description: volume.description ?? null,
        url: volume.url ?? null,
        status: volume.status,
        issues: volume.issues.map((issue) => ({
          id: issue.cvIssueId,
          number: issue.number,
          name: issue.title ?? null,
          coverDate: issue.coverDate ?? null,
          storeDate: issue.storeDate ?? null,
        })),
      };
    },
  });
}

function volumeCoverRoute({ images, lookups }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/volume/{id}/cover",
    summary: "The cover of a volume of the provider",
    params,
    responseType: "image/*",
    handle: cover(images, "volume", (id, options) => lookups.getVolume(id, options)),
  });
}

function searchArcsRoute({ lookups }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/arcs",
    summary: "Search the provider for story arcs",
    query: z.object({ q }),
    response: z.array(arcRowSchema),
    handle: async ({ query, viewer, signal }) =>
      (await lookups.searchArcs(query.q, { urgency: "person", viewer, signal })).map((arc) => ({
        id: arc.id,
        name: arc.name,
        publisher: arc.publisher ?? null,
        deck: arc.deck ?? null,
        image: arcImage(arc),
      })),
  });
}

function arcRoute({ lookups }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/arcs/{id}",
    summary: "Read one story arc of the provider",
    params,
    response: arcDocumentSchema,
    handle: async ({ params: { id }, viewer, signal }) => {
      const arc = await lookups.getArc(id, { urgency: "person", viewer, signal });
      return {
        id: arc.id,
        name: arc.name,
        publisher: arc.publisher ?? null,
        deck: arc.deck ?? null,
        image: arcImage(arc),
        description: arc.description ?? null,
        issues: arc.issues.map((issue) => ({ cvIssueId: issue.cvIssueId, name: issue.name ?? null })),
      };
    },
  });
}

function arcCoverRoute({ images, lookups }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/arcs/{id}/cover",
    summary: "The image of a story arc of the provider",
    params,
    responseType: "image/*",
    handle: cover(images, "arc", (id, options) => lookups.getArc(id, options)),
  });
}

interface CoverRequest {
  readonly params: { readonly id: number };
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
}

/** What was not looked up for viewers like this one is looked up now, so that no answer tells what others looked up. */
function cover(images: Images, kind: "volume" | "arc", lookUp: (id: number, options: AskOptions) => Promise<unknown>) {
  return async ({ params: { id }, viewer, signal }: CoverRequest): Promise<Reply> => {
    if ((await images.validator(kind, id, viewer)) === undefined)
      await lookUp(id, { urgency: "person", viewer, signal });
    const { content, validator } = await images.read(kind, id, viewer);
    return reply.content(content, { maxAgeSeconds: 86_400, validator });
  };
}

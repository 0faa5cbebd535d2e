import { BadInput, defineRoute, idParameter, reply, type Reply, type Route, type Viewer } from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import { z } from "zod";
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
    response: syncSchema,
    handle: async ({ viewer }) => stateFor(await sync.state(), viewer),
  });
}

/** The message names the current series, which may be hidden; the error is for users who manage the server. */
function stateFor({ message, error, ...counts }: SyncState, viewer: Viewer): SyncState {
  if (!viewer.may("library.manage")) return counts;
  return {
    ...counts,
    ...(error !== undefined && { error }),
    ...(viewer.seesRestricted && message !== undefined && { message }),
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
      const options = { urgency: "person", signal } as const;
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
      const volume = await lookups.getVolume(id, { urgency: "person", signal });
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

function volumeCoverRoute({ images }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/volume/{id}/cover",
    summary: "The cover of a volume from a search",
    params,
    responseType: "image/*",
    handle: cover(images, "volume"),
  });
}

function searchArcsRoute({ lookups }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/arcs",
    summary: "Search the provider for story arcs",
    query: z.object({ q }),
    response: z.array(arcRowSchema),
    handle: async ({ query, signal }) =>
      (await lookups.searchArcs(query.q, { urgency: "person", signal })).map((arc) => ({
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
    handle: async ({ params: { id }, signal }) => {
      const arc = await lookups.getArc(id, { urgency: "person", signal });
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

function arcCoverRoute({ images }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/cv/arcs/{id}/cover",
    summary: "The image of a story arc from a search",
    params,
    responseType: "image/*",
    handle: cover(images, "arc"),
  });
}

function cover(images: Images, kind: "volume" | "arc") {
  return async ({ params: { id } }: { params: { id: number } }): Promise<Reply> => {
    const { content, validator } = await images.read(kind, id);
    return reply.content(content, { maxAgeSeconds: 86_400, validator });
  };
}

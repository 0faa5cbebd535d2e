import {
  BadInput,
  Conflict,
  defineRoute,
  idParameter,
  isLongboxError,
  NotFound,
  signedIdParameter,
  type Contributions,
  type Logger,
  type Route,
  type Viewer,
} from "@longbox/sdk";
import type { CatalogContract, CollectionContract } from "@longbox/collection/contract";
import { z } from "zod";
import type { RefreshStep } from "../contract.js";
import { toVolumeRows } from "../describing.js";
import type { Lookups } from "../lookups.js";
import type { Matching, MatchOptions, MatchOutcome } from "../matching/matching.js";
import { readProviderId } from "../provider-id.js";
import type { StartSync } from "../maintenance.js";
import { matchSchema } from "../shapes.js";

const params = z.object({ id: idParameter });
const providerId = z.union([z.number().int().positive(), z.string().max(300)]);
const startedSchema = z.object({ started: z.boolean(), jobId: z.number().int() });
const target = z.object({ providerId: providerId.optional(), cvId: providerId.optional() });

export interface CatalogRouteParts {
  readonly catalog: CatalogContract;
  readonly library: CollectionContract;
  readonly lookups: Lookups;
  readonly matching: Matching;
  readonly startSync: StartSync;
  readonly log: Logger;
  readonly steps: Contributions<RefreshStep>;
}

export function catalogRoutes(parts: CatalogRouteParts): Route[] {
  return [
    addRoute(parts),
    pointRoute(parts),
    matchRoute(parts),
    syncRoute(parts),
    refreshVolumeRoute(parts),
    refreshIssueRoute(parts),
    refreshRoute(parts),
  ];
}

function addRoute({ catalog, lookups }: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/add-cv",
    access: "library.manage",
    summary: "Add a volume of the provider to the collection",
    body: z.object({
      providerId,
      cvIssueIds: z.array(z.number().int().positive()).max(10_000).optional(),
      reason: z.string().max(500).optional(),
    }),
    response: z.object({ seriesId: z.number().int(), cvId: z.number().int(), queued: z.number().int() }),
    handle: async ({ body, viewer, signal }) => {
      const volume = await lookups.getVolume(read(body.providerId, "providerId"), {
        urgency: "person",
        viewer,
        signal,
      });
      return await catalog.addVolume(volume, {
        viewer,
        cvIssueIds: body.cvIssueIds,
        reason: body.reason,
        libraryTypes: lookups.source().libraryTypes,
      });
    },
  });
}

function pointRoute({ catalog, lookups, matching }: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/cv",
    access: "library.manage",
    summary: "Point a series at another volume; drops hand assignments of its files",
    params,
    body: target,
    response: z.object({ seriesId: z.number().int(), cvId: z.number().int() }),
    handle: async ({ params: { id }, body, viewer, signal }) => {
      const evidence = await matching.getKnownEvidence(id, viewer);
      const volume = await lookups.getVolume(read(body.providerId ?? body.cvId, "providerId"), {
        urgency: "person",
        viewer,
        signal,
      });
      return { seriesId: await catalog.repointSeries(evidence.seriesId, volume, viewer), cvId: volume.cvId };
    },
  });
}

function matchRoute(parts: CatalogRouteParts): Route {
  const { catalog, matching, startSync } = parts;
  return defineRoute({
    method: "POST",
    path: "/api/cv/match",
    access: "library.manage",
    summary: "Find the volume of a series, or set it",
    description:
      "Without a providerId, the match is decided by evidence; when it is not certain, the answer lists candidates with scores and reasons. Without a seriesId, a job matches all unmatched series.",
    body: target.extend({ seriesId: z.number().int().positive().optional() }),
    response: z.union([matchSchema, startedSchema]),
    handle: async ({ body, viewer, signal }) => {
      if (body.seriesId === undefined) {
        return { started: true, jobId: await startSync() };
      }
      const evidence = await matching.getKnownEvidence(body.seriesId, viewer);
      const chosen = body.providerId ?? body.cvId;
      const options = { urgency: "person", signal, viewer } as const;
      if (chosen === undefined && evidence.cvId !== undefined)
        throw new Conflict("metadata/already-matched", `The series is already matched with volume ${evidence.cvId}.`, {
          seriesId: evidence.seriesId,
          cvId: evidence.cvId,
        });
      const outcome =
        chosen === undefined
          ? await matching.match(evidence, { ...options, alone: true })
          : await matching.choose(evidence, read(chosen, "providerId"), options);
      if (outcome.cvId !== undefined) await matchAnnuals(parts, outcome.seriesId, options);
      return await matchAnswer(catalog, outcome, viewer);
    },
  });
}

/** Annuals beside the issues of a series that is matched now. What fails here, the next sync does. */
async function matchAnnuals(
  { catalog, matching, log }: CatalogRouteParts,
  seriesId: number,
  options: MatchOptions,
): Promise<void> {
  try {
    const annuals = await catalog.findAnnuals(seriesId, options.viewer);
    if (annuals) await matching.matchAnnuals(annuals, options);
  } catch (fault) {
    if (!isLongboxError(fault)) throw fault;
    log.warn("The annuals of a series could not be looked for", { seriesId, reason: fault.code });
  }
}

function syncRoute({ startSync }: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/cv/sync",
    access: "library.manage",
    summary: "Start the provider sync as a job; its state is also at GET /api/cv",
    response: startedSchema,
    handle: async () => ({ started: true, jobId: await startSync() }),
  });
}

async function matchAnswer(catalog: CatalogContract, outcome: MatchOutcome, viewer: Viewer) {
  const rows = await toVolumeRows(
    outcome.candidates.map((candidate) => candidate.volume),
    catalog,
    viewer,
  );
  const candidates = rows.map((row, index) => ({
    ...row,
    score: outcome.candidates[index]?.judgement.score ?? 0,
    reasons: [...(outcome.candidates[index]?.judgement.reasons ?? [])],
  }));
  return {
    matched: outcome.cvId !== undefined,
    seriesId: outcome.seriesId,
    cvId: outcome.cvId ?? null,
    reasons: [...outcome.reasons],
    candidates,
  };
}

const refreshed = z.object({ seriesId: z.number().int(), cvId: z.number().int().nullable(), refreshed: z.boolean() });

async function refresh(
  { catalog, matching, lookups }: CatalogRouteParts,
  id: number,
  { viewer, signal }: { readonly viewer: Viewer; readonly signal: AbortSignal },
) {
  const evidence = await matching.getEvidence(id, viewer);
  if (evidence.cvId === undefined || !lookups.knows([evidence.type]))
    return { seriesId: evidence.seriesId, cvId: null, refreshed: false };
  await catalog.refreshSeries(
    evidence.seriesId,
    await lookups.getVolume(evidence.cvId, { urgency: "person", fresh: true, signal }),
  );
  return { seriesId: evidence.seriesId, cvId: evidence.cvId, refreshed: true };
}

function refreshVolumeRoute(parts: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/metadata",
    access: "library.manage",
    summary: "Refresh a series from the provider",
    params,
    response: refreshed,
    handle: async ({ params: { id }, viewer, signal }) => {
      const outcome = await refresh(parts, id, { viewer, signal });
      if (!outcome.refreshed)
        throw new Conflict("metadata/unmatched", "This series is not matched yet.", {
          seriesId: outcome.seriesId,
        });
      return outcome;
    },
  });
}

function refreshIssueRoute({ catalog, library, lookups }: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/issue/{cvId}/metadata",
    access: "library.manage",
    summary: "Refresh an issue from the provider",
    params: z.object({ cvId: signedIdParameter }),
    response: z.object({ cvIssueId: z.number().int(), refreshed: z.boolean() }),
    handle: async ({ params: { cvId }, viewer, signal }) => {
      const issue = await library.findIssue(cvId, viewer);
      if (!issue) throw new NotFound("metadata/issue-not-found", `There is no item ${cvId}.`, { cvIssueId: cvId });
      if (issue.cvIssueId < 0)
        throw new Conflict("metadata/unmatched", "This is not matched with the provider yet.", { cvIssueId: cvId });
      await catalog.describeIssue(await lookups.getIssue(issue.cvIssueId, { urgency: "person", fresh: true, signal }));
      return { cvIssueId: issue.cvIssueId, refreshed: true };
    },
  });
}

function refreshRoute(parts: CatalogRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/refresh",
    access: "library.manage",
    summary: "Scan the files of a series again, and refresh it from the provider",
    params,
    response: refreshed.loose(),
    handle: async ({ params: { id }, viewer, signal }) => {
      const outcome = await refresh(parts, id, { viewer, signal });
      const more = await Promise.all(parts.steps.all().map((step) => step.refresh(outcome.seriesId, viewer)));
      return Object.assign({}, ...more, outcome) as typeof outcome;
    },
  });
}

function read(written: number | string | undefined, field: string): number {
  const id = written === undefined ? undefined : readProviderId(String(written), "volume");
  if (id === undefined)
    throw new BadInput("metadata/bad-input", `${field}: must be a volume's id`, { [field]: "must be a volume's id" });
  return id;
}

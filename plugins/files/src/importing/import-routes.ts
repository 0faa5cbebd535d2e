import { z } from "zod";
import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { candidateSchema } from "./candidate.js";
import type { Importing } from "./importing.js";
import type { VisibleCandidates } from "./visible-candidates.js";

const params = z.object({ id: idParameter });
export const importOutcomeSchema = z.object({
  imported: z.number().int(),
  failed: z.array(z.object({ id: z.number().int(), error: z.string() })),
});

export const importPlanSchema = z.object({
  /** The name of the library that the files would go to. */
  library: z.string(),
  /** The collection has the series already. */
  isKnown: z.boolean(),
  /** How many files would move. */
  count: z.number().int(),
  /** The first of the files with their goals; a file whose goal is taken would stay. */
  moves: z.array(z.object({ from: z.string(), to: z.string(), isTaken: z.boolean() })),
});

/** How many files a plan lists: more are only counted. */
const mostPlanned = 300;

/** Routes of the import review. */
export function importRoutes(importing: Importing, candidates: VisibleCandidates): Route[] {
  return [
    ...reviewRoutes(importing, candidates),
    planRoute(importing),
    runRoute(importing),
    ...decidingRoutes(importing),
  ];
}

function reviewRoutes(importing: Importing, candidates: VisibleCandidates): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/import",
      access: "library.manage",
      summary: "List what waits in the import folder",
      response: z.array(candidateSchema),
      handle: ({ viewer }) => candidates.list(viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/import/scan",
      access: "library.manage",
      summary: "Look through the import folder, or a folder in it",
      body: z.object({ path: z.string().min(1).max(4096).optional() }).optional(),
      response: z.object({ candidates: z.array(candidateSchema) }),
      handle: async ({ body, viewer }) => ({ candidates: await importing.look(body?.path, viewer) }),
    }),
  ];
}

function planRoute(importing: Importing): Route {
  return defineRoute({
    method: "GET",
    path: "/api/import/candidate/{id}/plan",
    access: "library.manage",
    summary: "Show where the files of a candidate would go",
    params,
    query: z.object({ libraryId: z.coerce.number().int().positive().optional() }),
    response: importPlanSchema,
    async handle({ params: { id }, query: { libraryId }, viewer }) {
      const { moves, ...plan } = await importing.plan(id, libraryId, viewer);
      return { ...plan, count: moves.filter(({ isTaken }) => !isTaken).length, moves: moves.slice(0, mostPlanned) };
    },
  });
}

function runRoute(importing: Importing): Route {
  return defineRoute({
    method: "POST",
    path: "/api/import/run",
    access: "library.manage",
    summary: "Move the files of the candidates that are ready into a library",
    body: z
      .object({
        libraryId: z.number().int().positive().optional(),
        ids: z.array(z.number().int().positive()).max(1000).optional(),
      })
      .optional(),
    response: importOutcomeSchema,
    async handle({ body, viewer }) {
      const { imported, failed } = await importing.run({ libraryId: body?.libraryId, ids: body?.ids }, viewer);
      return { imported, failed: [...failed] };
    },
  });
}

/** What users decide about one candidate. */
function decidingRoutes(importing: Importing): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/import/candidate/{id}/match",
      access: "library.manage",
      summary: "Say which volume or series a candidate is",
      params,
      body: z.object({
        cvId: z.number().int().positive().optional(),
        seriesId: z.number().int().positive().optional(),
      }),
      response: candidateSchema,
      handle: ({ params: { id }, body, viewer }) => importing.match(id, body, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/import/candidate/{id}/confirm",
      access: "library.manage",
      summary: "Accept a candidate as it is",
      params,
      response: candidateSchema,
      handle: ({ params: { id }, viewer }) => importing.decide(id, "ready", viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/import/candidate/{id}/skip",
      access: "library.manage",
      summary: "Leave a candidate where it is",
      params,
      response: candidateSchema,
      handle: ({ params: { id }, viewer }) => importing.decide(id, "skipped", viewer),
    }),
  ];
}

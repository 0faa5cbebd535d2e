import { z } from "zod";
import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import type { Moves } from "../moving/moves.js";
import { runningStateSchema, stateFor } from "../state-answers.js";
import type { Refiling } from "./refiling.js";

export const refileStepSchema = z.object({
  from: z.string(),
  to: z.string(),
  status: z.enum(["move", "unchanged", "collision", "no-name", "failed"]),
  error: z.string().optional(),
});
export const refilePlanSchema = z.object({ plan: z.array(refileStepSchema) });
export const moveBatchSchema = z.object({
  id: z.number().int(),
  what: z.string(),
  state: z.string(),
  at: z.string(),
  moves: z.number().int(),
});
export const undoPlanSchema = z.object({
  /** How many files would move. */
  count: z.number().int(),
  /** Those that would move first. */
  moves: z.array(z.object({ from: z.string(), to: z.string() })),
});
export const undoneSchema = z.object({
  moved: z.number().int(),
  failed: z.array(z.object({ from: z.string(), to: z.string(), error: z.string() })),
});

/** How many moves a plan of undoing lists: more are only counted. */
const mostPlanned = 300;

/** Routes that bring files to their places. */
export function refileRoutes(
  refiling: Refiling,
  moves: Moves,
  rescanAround: (paths: readonly string[]) => Promise<void>,
): Route[] {
  return [
    seriesRoute(refiling),
    ...planRoutes(refiling),
    ...libraryRoutes(refiling),
    ...movesRoutes(refiling, moves, rescanAround),
  ];
}

function seriesRoute(refiling: Refiling): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/refile",
    access: "library.manage",
    summary: "Move and rename the files of a series as the naming patterns say",
    description:
      "With `dryRun` only the plan. Nothing is ever overwritten. `batchId` is what undoing takes; it is left out when no file moved.",
    params: z.object({ id: idParameter }),
    body: z.object({ dryRun: z.boolean().optional() }).optional(),
    response: refilePlanSchema.extend({ batchId: z.number().int().optional() }),
    async handle({ params: { id }, body, viewer }) {
      if (body?.dryRun) return { plan: await refiling.planSeries(id, viewer) };
      const { plan, batchId } = await refiling.refileSeries(id, viewer);
      return { plan: [...plan], ...(batchId !== undefined && { batchId }) };
    },
  });
}

/** What reorganising the whole library would do, which takes a while in a large one. */
function planRoutes(refiling: Refiling): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/library/refile-plan",
      access: "system.jobs",
      summary: "Show what reorganising the library would do",
      response: refilePlanSchema,
      handle: async ({ viewer, signal }) => ({
        plan: await refiling.plans.follow(viewer, signal, (control) => refiling.planLibrary(viewer, control)),
      }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/library/refile-plan/status",
      access: "system.jobs",
      summary: "How far the plan is that the viewer waits for, in series",
      response: runningStateSchema,
      handle: ({ viewer }) => stateFor(refiling.plans.state(viewer), viewer),
    }),
  ];
}

/** Reorganising the whole library, in the background. */
function libraryRoutes(refiling: Refiling): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/library/refile",
      access: "system.jobs",
      summary: "Reorganise the library in the background",
      response: z.object({ started: z.boolean(), state: runningStateSchema }),
      async handle({ viewer }) {
        await refiling.startLibrary();
        return { started: true, state: stateFor(await refiling.state(), viewer) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/library/refile-status",
      access: "system.jobs",
      summary: "How far reorganising is",
      response: runningStateSchema,
      handle: async ({ viewer }) => stateFor(await refiling.state(), viewer),
    }),
  ];
}

/** What was moved, and undoing it. */
function movesRoutes(
  refiling: Refiling,
  moves: Moves,
  rescanAround: (paths: readonly string[]) => Promise<void>,
): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/library/moves",
      access: "system.jobs",
      summary: "List batches of moved files, newest first",
      response: z.array(moveBatchSchema),
      handle: () => moves.list(),
    }),
    undoPlanRoute(moves),
    defineRoute({
      method: "POST",
      path: "/api/library/moves/{id}/undo",
      access: "system.jobs",
      summary: "Put the files of a batch back where they were",
      params: z.object({ id: idParameter }),
      response: undoneSchema,
      async handle({ params: { id } }) {
        const { moved, failed } = await refiling.undo(id);
        await rescanAround(moved.map(({ to }) => to));
        return { moved: moved.length, failed: [...failed] };
      },
    }),
  ];
}

function undoPlanRoute(moves: Moves): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/moves/{id}/undo-plan",
    access: "system.jobs",
    summary: "Show which files undoing a batch would move, and where",
    params: z.object({ id: idParameter }),
    response: undoPlanSchema,
    async handle({ params: { id } }) {
      const plan = await moves.planUndo(id);
      return { count: plan.length, moves: plan.slice(0, mostPlanned) };
    },
  });
}

import { z } from "zod";
import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import type { Cleaning } from "./cleaning.js";

export const redundantSchema = z.object({
  path: z.string(),
  kept: z.string(),
  reason: z.enum(["same-bytes", "same-pages"]),
});
export const trashSchema = z.object({ files: z.number().int(), bytes: z.number().int() });

/** Routes that remove redundant copies. */
export function cleanupRoutes(cleaning: Cleaning): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/cleanup",
      access: "library.manage",
      summary: "Move copies that are proven redundant to the trash",
      description:
        "Only files whose bytes, or whose pages in their order, are those of a better file of the same issue. With `dryRun` nothing is moved. `batchId` is what undoing takes.",
      params: z.object({ id: idParameter }),
      body: z.object({ dryRun: z.boolean().optional() }).optional(),
      response: z.object({ removed: z.array(redundantSchema), batchId: z.number().int().optional() }),
      async handle({ params: { id }, body, viewer }) {
        if (body?.dryRun) return { removed: await cleaning.findRedundant(id, viewer) };
        const { removed, batchId } = await cleaning.cleanAsJob(id, viewer);
        return { removed: [...removed], ...(batchId !== undefined && { batchId }) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/library/trash",
      access: "library.manage",
      summary: "What the trash holds",
      response: trashSchema,
      handle: () => cleaning.trash(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/library/trash/empty",
      access: "system.jobs",
      summary: "Delete for ever what the trash holds",
      response: trashSchema,
      handle: () => cleaning.emptyTrash(),
    }),
  ];
}

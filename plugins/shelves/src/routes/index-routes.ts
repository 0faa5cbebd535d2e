import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Browsing } from "../browsing/browsing.js";
import type { Rebuilding } from "../filling/rebuilding.js";
import { rebuildStatusSchema, statusSchema } from "../shapes.js";
import type { IndexThread } from "../thread/index-thread.js";

export interface IndexRouteParts {
  readonly browsing: Browsing;
  readonly rebuilding: Rebuilding;
  readonly thread: IndexThread;
}

/** The state of the index, and building it. */
export function indexRoutes({ browsing, rebuilding, thread }: IndexRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/status",
      access: "library.view",
      summary: "Whether the index is built and usable",
      response: statusSchema,
      async handle({ viewer }) {
        const [status, size, { running }] = await Promise.all([
          thread.run("status", undefined),
          browsing.size(viewer),
          rebuilding.status(),
        ]);
        return { ready: status.ready, size, builtAt: status.builtAt ?? null, building: running };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/shelves/rebuild",
      access: "library.manage",
      summary: "Build the index",
      description: "409 while it is being built.",
      response: z.object({ started: z.boolean(), state: rebuildStatusSchema }),
      handle: async () => ({ started: true, state: await rebuilding.start() }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/shelves/rebuild/status",
      access: "library.view",
      summary: "How far the index is built",
      response: rebuildStatusSchema,
      handle: () => rebuilding.status(),
    }),
  ];
}

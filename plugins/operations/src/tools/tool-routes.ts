import { defineRoute, type Route } from "@longbox/sdk";
import { z } from "zod";
import { startedSchema, toolSchema } from "../shapes.js";
import type { Tools } from "./tools.js";

/** Maintenance tools, run as jobs. */
export function toolRoutes(tools: Tools): Route[] {
  const access = "system.jobs";
  return [
    defineRoute({
      method: "GET",
      path: "/api/tools",
      access,
      summary: "Maintenance tools",
      response: z.array(toolSchema),
      handle: () => tools.list(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/tools/{tool}",
      access,
      summary: "Run a tool as a background job",
      params: z.object({ tool: z.string().min(1).max(100) }),
      body: z
        .object({ dryRun: z.boolean().default(false).meta({ description: "Only say what would be done" }) })
        .default({ dryRun: false }),
      response: startedSchema,
      handle: ({ params: { tool }, body }) => tools.run(tool, body),
    }),
  ];
}

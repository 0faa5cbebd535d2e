import { z } from "zod";
import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { stateFor, tagStateSchema, type TagProgress } from "./tag-progress.js";
import type { Tagging } from "./tagging.js";

/** Routes that write tags. */
export function tagRoutes(tagging: Tagging, progress: TagProgress): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/tag-files",
      access: "library.view",
      summary: "How far the running tag pass is",
      response: tagStateSchema,
      handle: ({ viewer }) => stateFor(progress.state, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/tag",
      access: "library.manage",
      summary: "Write what is known of a series' issues into their files, or beside them",
      params: z.object({ id: idParameter }),
      response: z.object({ started: z.boolean(), files: z.number().int(), state: tagStateSchema }),
      async handle({ params: { id }, viewer }) {
        const { files } = await tagging.tagSeries(id, viewer);
        return { started: true, files, state: stateFor(progress.state, viewer) };
      },
    }),
  ];
}

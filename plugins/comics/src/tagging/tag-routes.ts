import { z } from "zod";
import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { tagStateSchema, type TagJobs } from "./tag-jobs.js";

/** Routes that write tags. */
export function tagRoutes(tagJobs: TagJobs): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/tag-files",
      access: "library.view",
      summary: "How far the running tag pass is",
      response: tagStateSchema,
      handle: ({ viewer }) => tagJobs.state(viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/collection/{id}/tag",
      access: "library.manage",
      summary: "Write what is known of a series' issues into their files, or beside them, as a job",
      params: z.object({ id: idParameter }),
      response: z.object({ started: z.boolean(), files: z.number().int(), state: tagStateSchema }),
      async handle({ params: { id }, viewer }) {
        const { files } = await tagJobs.start(id, viewer);
        return { started: true, files, state: await tagJobs.state(viewer) };
      },
    }),
  ];
}

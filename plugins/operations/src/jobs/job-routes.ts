import { defineRoute, idParameter, pageParameters, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { NoSuchJob } from "../errors.js";
import type { Jobs } from "./jobs.js";
import { jobSchema } from "../shapes.js";

/** `GET /api/jobs` and what can be done with a job. */
export function jobRoutes(jobs: Jobs): Route[] {
  const access = "system.jobs";
  const params = z.object({ id: idParameter });
  return [
    defineRoute({
      method: "GET",
      path: "/api/jobs",
      access,
      summary: "Recent and running jobs, running first",
      query: z.object(pageParameters({ default: 100, max: 500 })),
      response: z.array(jobSchema),
      async handle({ query }) {
        const { jobs: page, total } = await jobs.list(query);
        return reply.json(page, { "X-Total-Count": String(total) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/jobs/{id}",
      access,
      summary: "One job",
      params,
      response: jobSchema,
      async handle({ params: { id } }) {
        const job = await jobs.find(id);
        if (!job) throw new NoSuchJob(id);
        return job;
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/jobs/clear",
      access,
      summary: "Forget finished jobs",
      response: z.object({ cleared: z.number().int() }),
      handle: async () => ({ cleared: await jobs.clear() }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/jobs/{id}/cancel",
      access,
      summary: "Ask a job to stop",
      params,
      response: jobSchema,
      handle: ({ params: { id } }) => jobs.cancel(id),
    }),
  ];
}

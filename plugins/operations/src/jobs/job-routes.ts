import { activitySchema, defineRoute, idParameter, pageParameters, reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { Job } from "../contract.js";
import { NoSuchJob } from "../errors.js";
import type { Jobs } from "./jobs.js";
import { jobSchema } from "../shapes.js";

/** Messages name what is worked on, of which some may be hidden from the viewer. */
function jobFor(job: Job, { seesRestricted }: Viewer): Job {
  if (seesRestricted) return job;
  const { errorCode: _code, errorDetails: _details, ...shown } = job;
  return { ...shown, message: undefined, error: undefined };
}

/** How many jobs the activity lists; the page of jobs shows all. */
const mostActive = 6;

/** `GET /api/jobs` and what can be done with a job. */
export function jobRoutes(jobs: Jobs): Route[] {
  return [...jobReadingRoutes(jobs), activityRoute(jobs), ...jobEndingRoutes(jobs)];
}

function activityRoute(jobs: Jobs): Route {
  return defineRoute({
    method: "GET",
    path: "/api/jobs/activity",
    access: "system.jobs",
    summary: "The jobs that run or wait, for the frame of the web interface",
    response: activitySchema,
    async handle({ viewer }) {
      const { jobs: page } = await jobs.list({ limit: 50, offset: 0 });
      const active = page.filter(({ state }) => state === "running" || state === "queued");
      const items = active.slice(0, mostActive).map((job) => activeJob(jobFor(job, viewer)));
      return { count: active.length, items };
    },
  });
}

function activeJob({ id, title, message, state, done, total, estimateSeconds }: Job) {
  return {
    id,
    title,
    message,
    ...(state === "running" && { progress: { done, total } }),
    secondsLeft: estimateSeconds,
    cancel: `/api/jobs/${id}/cancel`,
  };
}

function jobReadingRoutes(jobs: Jobs): Route[] {
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
      async handle({ query, viewer }) {
        const { jobs: page, total } = await jobs.list(query);
        const shown = page.map((job) => jobFor(job, viewer));
        return reply.json(shown, { "X-Total-Count": String(total) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/jobs/{id}",
      access,
      summary: "One job",
      params,
      response: jobSchema,
      async handle({ params: { id }, viewer }) {
        const job = await jobs.find(id);
        if (!job) throw new NoSuchJob(id);
        return jobFor(job, viewer);
      },
    }),
  ];
}

function jobEndingRoutes(jobs: Jobs): Route[] {
  const access = "system.jobs";
  const params = z.object({ id: idParameter });
  return [
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
      handle: async ({ params: { id }, viewer }) => jobFor(await jobs.cancel(id), viewer),
    }),
  ];
}

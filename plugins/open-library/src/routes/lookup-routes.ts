import { defineRoute, reply, type Route } from "@longbox/sdk";
import type { JobsContract } from "@longbox/operations/contract";
import { z } from "zod";
import type { WorkCovers } from "../asking/covers.js";
import type { OpenLibrary } from "../asking/open-library.js";
import { arrivalKind, syncKind } from "../matching/jobs.js";
import { workRow, type Reviewing } from "../reviewing.js";
import { stateSchema, workSchema } from "../shapes.js";

export interface LookupRouteParts {
  readonly openLibrary: OpenLibrary;
  readonly covers: WorkCovers;
  readonly reviewing: Reviewing;
  readonly jobs: JobsContract;
  /** @returns the job's id */
  readonly start: () => Promise<number>;
}

export function lookupRoutes(parts: LookupRouteParts): Route[] {
  return [stateRoute(parts), syncRoute(parts), searchRoute(parts), coverRoute(parts)];
}

function stateRoute({ jobs, reviewing }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/open-library",
    access: "library.manage",
    summary: "Read how many books wait for a person, and whether books are being looked up",
    response: stateSchema,
    async handle({ viewer }) {
      const job = await jobs.findLatest([syncKind, arrivalKind]);
      // The message names the current book, which may be hidden.
      const message = viewer.seesRestricted ? job?.message : undefined;
      return {
        running: job?.state === "running" || job?.state === "queued",
        ...(message !== undefined && { message }),
        ...(job?.error !== undefined && { error: job.error }),
        review: await reviewing.count(viewer),
      };
    },
  });
}

function syncRoute({ start }: LookupRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/open-library/sync",
    access: "library.manage",
    summary: "Look up all books that were not looked up yet, as a job",
    response: z.object({ started: z.boolean(), jobId: z.number().int() }),
    handle: async () => ({ started: true, jobId: await start() }),
  });
}

function searchRoute({ openLibrary, covers }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/open-library/search",
    access: "library.manage",
    summary: "Search Open Library for works",
    description: "By words, an ISBN, or the id or the address of a work.",
    query: z.object({ q: z.string().trim().min(1).max(300) }),
    response: z.array(workSchema),
    async handle({ query, viewer, signal }) {
      const found = await openLibrary.search(query.q, { urgency: "person", viewer, signal });
      await covers.remember(found, viewer);
      return found.map(workRow);
    },
  });
}

function coverRoute({ covers, openLibrary }: LookupRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/open-library/works/{workId}/cover",
    access: "library.view",
    summary: "The cover of a work of Open Library",
    params: z.object({ workId: z.string().regex(/^OL[1-9]\d{0,14}W$/) }),
    responseType: "image/*",
    async handle({ params: { workId }, viewer, signal }) {
      // What was not looked up for viewers like this one is looked up now: no answer tells what others looked up.
      if (!(await covers.knows(workId, viewer))) {
        const work = await openLibrary.findWork(workId, { urgency: "person", viewer, signal });
        if (work) await covers.remember([{ id: workId, coverId: work.coverId }], viewer);
      }
      const { content, validator } = await covers.read(workId, viewer);
      return reply.content(content, { validator, maxAgeSeconds: 86_400 });
    },
  });
}

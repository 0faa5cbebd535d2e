import { defineRoute, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { readWorkId } from "../asking/open-library.js";
import { NoSuchWork } from "../errors.js";
import type { Matching } from "../matching/matching.js";
import type { Reviewing } from "../reviewing.js";
import { bookSchema, reviewSchema } from "../shapes.js";

const access = "library.manage";
const params = z.object({ cvIssueId: signedIdParameter });

export interface ReviewRouteParts {
  readonly reviewing: Reviewing;
  readonly matching: Matching;
}

/** What waits for a person, and what that person decides. */
export function reviewRoutes(parts: ReviewRouteParts): Route[] {
  return [listRoute(parts), bookRoute(parts), matchRoute(parts), dismissRoute(parts)];
}

function listRoute({ reviewing }: ReviewRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/open-library/review",
    access,
    summary: "Books whose work is not certain, with the candidates",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    response: reviewSchema,
    handle: ({ query, viewer }) => reviewing.list(query, viewer),
  });
}

function bookRoute({ reviewing }: ReviewRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/open-library/books/{cvIssueId}",
    access,
    summary: "Read how far the matching of a book is",
    params,
    response: bookSchema,
    handle: ({ params: { cvIssueId }, viewer }) => reviewing.get(cvIssueId, viewer),
  });
}

function matchRoute({ reviewing, matching }: ReviewRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/open-library/books/{cvIssueId}/match",
    access,
    summary: "Find the work of a book, or set it",
    description:
      "Without a workId, the match is decided by evidence; when it is not certain, the answer lists candidates with scores and reasons. The id or the address of an edition is accepted, too.",
    params,
    body: z.object({ workId: z.string().max(300).optional() }).default({}),
    response: bookSchema,
    async handle({ params: { cvIssueId }, body, viewer, signal }) {
      const book = await reviewing.getEvidence(cvIssueId, viewer);
      const options = { urgency: "person", viewer, signal } as const;
      if (body.workId === undefined) await matching.match([book], options);
      else await matching.choose(book, read(body.workId), options);
      return await reviewing.get(cvIssueId, viewer);
    },
  });
}

function dismissRoute({ reviewing, matching }: ReviewRouteParts): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/open-library/books/{cvIssueId}/match",
    access,
    summary: "Take the match of a book back, or dismiss its candidates; it is not matched automatically again",
    params,
    response: bookSchema,
    async handle({ params: { cvIssueId }, viewer }) {
      await matching.dismiss(await reviewing.getEvidence(cvIssueId, viewer), viewer);
      return await reviewing.get(cvIssueId, viewer);
    },
  });
}

function read(written: string): string {
  const id = readWorkId(written);
  if (id === undefined) throw new NoSuchWork(written);
  return id;
}

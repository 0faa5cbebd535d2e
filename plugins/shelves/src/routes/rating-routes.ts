import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { IssueNotFound } from "../errors.js";
import type { RatingRecords } from "../ratings/rating-records.js";

export interface RatingRouteParts {
  readonly library: Pick<CollectionContract, "findIssue">;
  readonly ratings: RatingRecords;
  readonly changed: (userId: number, issueIds: readonly number[]) => Promise<void>;
}

const params = z.object({ cvIssueId: signedIdParameter });
const ratingSchema = z.object({ cvIssueId: z.number().int(), rating: z.number().int() });
const mostStars = 5;

/** What the viewer thinks of issues. No route shows the ratings of other users. */
export function ratingRoutes({ library, ratings, changed }: RatingRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/shelves/ratings/{cvIssueId}",
      access: "library.view",
      summary: "Your rating of an item: 1 to 5, 0 for none",
      params,
      response: ratingSchema,
      async handle({ params: { cvIssueId }, viewer }) {
        const issue = await library.findIssue(cvIssueId, viewer);
        if (!issue) throw new IssueNotFound(cvIssueId);
        const stars = await ratings.find(viewer.user.id, [issue.id]);
        return { cvIssueId, rating: stars.get(issue.id) ?? 0 };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/shelves/ratings/{cvIssueId}",
      access: "library.view",
      summary: "Rate an item with 1 to 5 stars; 0 removes the rating",
      params,
      body: z.object({ rating: z.number().int().min(0).max(mostStars) }),
      response: ratingSchema,
      async handle({ params: { cvIssueId }, body: { rating }, viewer }) {
        const issue = await library.findIssue(cvIssueId, viewer);
        if (!issue) throw new IssueNotFound(cvIssueId);
        await ratings.set(viewer.user.id, issue.id, rating);
        await changed(viewer.user.id, [issue.id]);
        return { cvIssueId, rating };
      },
    }),
  ];
}

import type { CollectionContract, CoversContract, CoverSubject } from "@longbox/collection/contract";
import { defineRoute, idParameter, reply, signedIdParameter, type Reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { CoverNotFound } from "../opds-errors.js";
import { getOwned } from "../owned-issue.js";
import { common, width } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly covers: CoversContract;
}

const defaultWidth = 640;
const query = z.object({ w: width });

/** Covers as every reading app shows them. */
export function coverRoutes(sources: Sources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: "/api/opds/issue/{cvIssueId}/cover",
      summary: "The cover of an issue as JPEG, at least w pixels wide",
      params: z.object({ cvIssueId: signedIdParameter }),
      query,
      responseType: "image/*",
      handle: async ({ params, query: { w }, viewer }) => {
        const { id } = await getOwned(sources.library, params.cvIssueId, viewer);
        return answerCover(sources.covers, { subject: { issueId: id }, width: w ?? defaultWidth }, viewer);
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/api/opds/series/{id}/cover",
      summary: "The cover of a series' first issue as JPEG, at least w pixels wide",
      params: z.object({ id: idParameter }),
      query,
      responseType: "image/*",
      handle: ({ params, query: { w }, viewer }) =>
        answerCover(sources.covers, { subject: { seriesId: params.id }, width: w ?? defaultWidth }, viewer),
    }),
  ];
}

async function answerCover(
  covers: CoversContract,
  wanted: { readonly subject: CoverSubject; readonly width: number },
  viewer: Viewer,
): Promise<Reply> {
  const shape = { width: wanted.width, plain: true };
  const described = await covers.describe(wanted.subject, shape, viewer);
  if (!described) throw new CoverNotFound();
  return reply.content(() => covers.read(wanted.subject, shape, viewer), { validator: described.validator });
}

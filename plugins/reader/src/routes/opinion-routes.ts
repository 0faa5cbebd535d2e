import { defineRoute, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { opinionSchema } from "../opinion-records.js";
import type { WebReading } from "../web-reading.js";

const path = "/api/reader/issue/{cvIssueId}/opinion";
const access = "reader.read";
const params = z.object({ cvIssueId: signedIdParameter });

/** The viewer's rating of an issue, and a note on it. */
export function opinionRoutes(reading: WebReading): Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      access,
      summary: "Read the viewer's rating of an issue, and the viewer's note on it",
      params,
      response: opinionSchema,
      handle: ({ params: { cvIssueId }, viewer }) => reading.opinion(viewer, cvIssueId),
    }),
    defineRoute({
      method: "POST",
      path,
      access,
      summary: "Rate an issue or write a note on it; what is left out stays",
      params,
      body: opinionSchema.partial(),
      response: opinionSchema,
      handle: ({ params: { cvIssueId }, body, viewer }) => reading.giveOpinion(viewer, cvIssueId, body),
    }),
  ];
}

import { defineRoute, idParameter, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { SeriesNotFound, IssueNotFound } from "../errors.js";
import type { KeptCovers } from "../covers/covers.js";
import { coveredIssue } from "../issues/issue-shape.js";
import type { IssueReading } from "../issues/issue-reading.js";
import type { SeriesReading } from "../series/series-reading.js";
import { issueDocumentSchema, issueRowSchema, seriesDocumentSchema } from "../answers/shapes.js";

const byId = z.object({ id: idParameter });
const byIssue = z.object({ cvIssueId: signedIdParameter });
const width = z.object({
  w: z
    .string()
    .regex(/^\d{1,5}$/, "must be a width in pixels")
    .transform(Number)
    .pipe(z.number().min(16).max(4000))
    .optional(),
});

export interface SeriesRouteParts {
  readonly series: SeriesReading;
  readonly issues: IssueReading;
  readonly covers: KeptCovers;
}

export function seriesRoutes(parts: SeriesRouteParts): Route[] {
  return [seriesRoute(parts), issuesRoute(parts), issueRoute(parts), seriesCoverRoute(parts), issueCoverRoute(parts)];
}

function seriesRoute({ series }: SeriesRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/collection/{id}",
    summary: "Read one tracked series with its issues",
    params: byId,
    response: seriesDocumentSchema,
    handle: ({ params, viewer }) => series.read(params.id, viewer),
  });
}

function issuesRoute({ series, issues }: SeriesRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/series/{id}/issues",
    summary: "List the issues of a series in reading order",
    params: byId,
    response: z.array(issueRowSchema),
    handle: async ({ params, viewer }) => {
      const row = await series.find(params.id, viewer);
      if (!row) throw new SeriesNotFound(params.id);
      const files = await issues.files.listOfSeries(row.id);
      return (await issues.lists.listOfSeries(row.id, viewer)).map((issue) =>
        issues.shapes.toRow(issue, files.get(issue.id) ?? [], viewer.may("library.manage")),
      );
    },
  });
}

function issueRoute({ issues }: SeriesRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/issue/{cvIssueId}",
    summary: "Read one issue",
    params: byIssue,
    response: issueDocumentSchema,
    handle: ({ params, viewer }) => issues.read(params.cvIssueId, viewer),
  });
}

function seriesCoverRoute({ series, issues, covers }: SeriesRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/collection/{id}/cover",
    summary: "The cover of a series: that of its first owned issue",
    params: byId,
    query: width.extend({
      issue: z
        .string()
        .regex(/^\d{1,16}$/)
        .optional()
        .meta({ description: "Only tells a chosen cover from the one before, for caches" }),
    }),
    responseType: "image/*",
    handle: async (request) => {
      const { params, query, viewer } = request;
      const row = await series.get(params.id, viewer);
      const [issue] = row.cover_issue_id === null ? [] : await issues.finding.findAll([row.cover_issue_id], viewer);
      if (!issue) throw new SeriesNotFound(params.id);
      return covers.answer(coveredIssue(issue), { width: query.w, accept: request.header("accept") });
    },
  });
}

function issueCoverRoute({ issues, covers }: SeriesRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/issue/{cvIssueId}/cover",
    summary: "The cover of an issue",
    params: byIssue,
    query: width.extend({
      page: z
        .string()
        .regex(/^\d{1,5}$/, "must be a page, from 0")
        .transform(Number)
        .optional()
        .meta({ description: "Another page of the file than the one that was chosen, from 0" }),
    }),
    responseType: "image/*",
    handle: async (request) => {
      const { params, query, viewer } = request;
      const issue = await issues.finding.find(params.cvIssueId, viewer);
      if (!issue) throw new IssueNotFound(params.cvIssueId);
      return covers.answer(
        { ...coveredIssue(issue), ...(query.page !== undefined && { page: query.page }) },
        { width: query.w, accept: request.header("accept") },
      );
    },
  });
}

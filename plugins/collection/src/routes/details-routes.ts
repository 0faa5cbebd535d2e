import { defineRoute, idParameter, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { IssueNotFound } from "../errors.js";
import { editIssue, issueEditsSchema, lockableIssueFields } from "../issues/issue-editing.js";
import type { IssueReading } from "../issues/issue-reading.js";
import { lockableFields } from "../series/lockable-fields.js";
import { detailsSchema, writeDetails, type DetailsParts } from "../series/series-details.js";
import type { SeriesReading } from "../series/series-reading.js";

export interface DetailsRouteParts extends DetailsParts {
  readonly series: SeriesReading;
  readonly issues: IssueReading;
}

/** What a person writes about series and issues. */
export function detailsRoutes(parts: DetailsRouteParts): Route[] {
  return [seriesDetailsRoute(parts), issueDetailsRoute(parts)];
}

function seriesDetailsRoute({ series, ...parts }: DetailsRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/details",
    access: "library.manage",
    summary: "Change the title, publisher, year, description or cover of a series",
    description:
      "Omitted fields keep their value. Fields you send are locked: scans and the metadata provider do not overwrite it.",
    params: z.object({ id: idParameter }),
    body: detailsSchema,
    response: z.object({ locked: z.array(z.enum(lockableFields)) }),
    async handle({ params: { id }, body, viewer }) {
      const { id: seriesId } = await series.get(id, viewer);
      return { locked: await writeDetails(parts, seriesId, body) };
    },
  });
}

function issueDetailsRoute({ issues, ...parts }: DetailsRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/issue/{cvIssueId}/details",
    access: "library.manage",
    summary: "Change the title, date, description, people, characters or cover of an issue",
    description:
      "Omitted fields keep their value. Fields you send are locked: scans and the metadata provider do not overwrite it.",
    params: z.object({ cvIssueId: signedIdParameter }),
    body: issueEditsSchema,
    response: z.object({ locked: z.array(z.enum(lockableIssueFields)) }),
    async handle({ params: { cvIssueId }, body, viewer }) {
      const issue = await issues.finding.find(cvIssueId, viewer);
      if (!issue) throw new IssueNotFound(cvIssueId);
      return { locked: await editIssue(parts, issue.id, body) };
    },
  });
}

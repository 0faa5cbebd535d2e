import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { IssueProgress, ReadingProgressContract } from "@longbox/reader/contract";
import { defineRoute, reply, signedIdParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { jsonBase } from "../addresses.js";
import type { Identifiers } from "../identifiers.js";
import { pageOfProgression, progressionDocument, progressionSchema, progressionType, type Progression } from "../json/progression.js";
import { NothingOwned, ProgressionIsOlder } from "../opds-errors.js";
import { common, json } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly progress: ReadingProgressContract;
  readonly identifiers: Identifiers;
}

const path = `${jsonBase}/issue/{cvIssueId}/progression` as const;
const params = z.object({ cvIssueId: signedIdParameter });

/** How far the viewer is in an issue, read and told by reading apps (OPDS Progression 1.0, draft). */
export function progressionRoutes(sources: Sources): Route[] {
  return [readRoute(sources), writeRoute(sources)];
}

function readRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path,
    summary: "How far the viewer is in an issue (OPDS Progression)",
    description: "Empty when nothing has been read.",
    params,
    responseType: progressionType,
    handle: async ({ params, viewer }) => {
      const known = await find(sources, (await issueWithPages(sources, params.cvIssueId, viewer)).id, viewer);
      return known ? json(progressionDocument(known, sources.identifiers), progressionType) : reply.text("", progressionType);
    },
  });
}

function writeRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "PUT",
    path,
    summary: "Tell how far the viewer is in an issue (OPDS Progression)",
    description: "The place only moves forward. 409 when what is known is newer than `modified`.",
    params,
    body: progressionSchema,
    responseType: progressionType,
    handle: async ({ params, body, viewer }) => {
      const issue = await issueWithPages(sources, params.cvIssueId, viewer);
      return json(progressionDocument(await keep(sources, issue, body, viewer), sources.identifiers), progressionType);
    },
  });
}

/** @throws {ProgressionIsOlder} */
async function keep(sources: Sources, issue: Issue, told: Progression, viewer: Viewer): Promise<IssueProgress> {
  const known = await find(sources, issue.id, viewer);
  if (known && Date.parse(known.readAt) > Date.parse(told.modified)) throw new ProgressionIsOlder(known.readAt);
  const page = pageOfProgression(told, issue.pages);
  await sources.progress.advance(viewer.user.id, issue.id, page, issue.pages, told.modified);
  const kept = await find(sources, issue.id, viewer);
  if (!kept) throw new NothingOwned(issue.cvIssueId);
  return kept;
}

async function find({ progress }: Sources, issueId: number, viewer: Viewer): Promise<IssueProgress | undefined> {
  return (await progress.findProgress(viewer.user.id, [issueId]))[0];
}

/** @throws {NothingOwned} also for what has no pages to be counted, such as audiobooks */
async function issueWithPages({ library }: Sources, cvIssueId: number, viewer: Viewer): Promise<Issue> {
  const issue = await library.findIssue(cvIssueId, viewer);
  if (!issue?.owned || issue.pages === 0) throw new NothingOwned(cvIssueId);
  return issue;
}

import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { IssueProgress, ReadingProgressContract } from "@longbox/reader/contract";
import { defineRoute, reply, signedIdParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { jsonBase } from "../addresses.js";
import type { Identifiers } from "../identifiers.js";
import { pageOfProgression, progressionDocument, progressionSchema, progressionType } from "../json/progression.js";
import { pageOfLocator, readiumProgressionDocument, readiumProgressionSchema, readiumProgressionType } from "../json/readium-progression.js";
import { NothingOwned, ProgressionIsOlder } from "../opds-errors.js";
import { common, json, originOf } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly progress: ReadingProgressContract;
  readonly identifiers: Identifiers;
}

interface Told {
  readonly modified: string;
  /** Counted from 0. */
  readonly page: number;
}

const path = `${jsonBase}/issue/{cvIssueId}/progression` as const;
const readiumPath = `${jsonBase}/issue/{cvIssueId}/readium-progression` as const;
const params = z.object({ cvIssueId: signedIdParameter });
const writing = "The place only moves forward. 409 when what is known is newer than `modified`.";

/** How far the viewer is in an issue, read and told by reading apps, in the two documents that they know. */
export function progressionRoutes(sources: Sources): Route[] {
  return [readRoute(sources), writeRoute(sources), readReadiumRoute(sources), writeReadiumRoute(sources)];
}

function readRoute(sources: Sources): Route {
  return defineRoute({
    ...common, method: "GET", path, params, responseType: progressionType,
    summary: "How far the viewer is in an issue (OPDS Progression)",
    description: "Empty when nothing has been read.",
    handle: async ({ params, viewer }) => {
      const known = await find(sources, await issueWithPages(sources, params.cvIssueId, viewer), viewer);
      return known ? json(progressionDocument(known, sources.identifiers), progressionType) : reply.text("", progressionType);
    },
  });
}

function writeRoute(sources: Sources): Route {
  return defineRoute({
    ...common, method: "PUT", path, params, body: progressionSchema, responseType: progressionType,
    summary: "Tell how far the viewer is in an issue (OPDS Progression)",
    description: writing,
    handle: async ({ params, body, viewer }) => {
      const issue = await issueWithPages(sources, params.cvIssueId, viewer);
      const kept = await keep(sources, issue, { modified: body.modified, page: pageOfProgression(body, issue.pages) }, viewer);
      return json(progressionDocument(kept, sources.identifiers), progressionType);
    },
  });
}

function readReadiumRoute(sources: Sources): Route {
  return defineRoute({
    ...common, method: "GET", path: readiumPath, params, responseType: readiumProgressionType,
    summary: "How far the viewer is in an issue (Readium progression)",
    description: "204 when nothing has been read.",
    handle: async (request) => {
      const { params, viewer } = request;
      const known = await find(sources, await issueWithPages(sources, params.cvIssueId, viewer), viewer);
      if (!known) return reply.empty();
      const addresses = { identifiers: sources.identifiers, origin: originOf(request), base: jsonBase };
      return json(readiumProgressionDocument(known, params.cvIssueId, addresses), readiumProgressionType);
    },
  });
}

function writeReadiumRoute(sources: Sources): Route {
  return defineRoute({
    ...common, method: "PUT", path: readiumPath, params, body: readiumProgressionSchema, responseType: readiumProgressionType,
    summary: "Tell how far the viewer is in an issue (Readium progression)",
    description: writing,
    handle: async ({ params, body, viewer }) => {
      const issue = await issueWithPages(sources, params.cvIssueId, viewer);
      await keep(sources, issue, { modified: body.modified, page: pageOfLocator(body, issue.pages) }, viewer);
      return reply.empty();
    },
  });
}

/** @throws {ProgressionIsOlder} */
async function keep(sources: Sources, issue: Issue, { modified, page }: Told, viewer: Viewer): Promise<IssueProgress> {
  const known = await find(sources, issue, viewer);
  if (known && Date.parse(known.readAt) > Date.parse(modified)) throw new ProgressionIsOlder(known.readAt);
  await sources.progress.advance(viewer.user.id, issue.id, page, issue.pages, modified);
  const kept = await find(sources, issue, viewer);
  if (!kept) throw new NothingOwned(issue.cvIssueId);
  return kept;
}

async function find({ progress }: Sources, issue: Issue, viewer: Viewer): Promise<IssueProgress | undefined> {
  return (await progress.findProgress(viewer.user.id, [issue.id]))[0];
}

/** @throws {NothingOwned} also for what has no pages to be counted, such as audiobooks */
async function issueWithPages({ library }: Sources, cvIssueId: number, viewer: Viewer): Promise<Issue> {
  const issue = await library.findIssue(cvIssueId, viewer);
  if (!issue?.owned || issue.pages === 0) throw new NothingOwned(cvIssueId);
  return issue;
}

import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import type { ReadingProgressContract, RenderedPagesContract, PageShape } from "@longbox/reader/contract";
import { defineRoute, idParameter, indexParameter, reply, signedIdParameter, type Logger, type Reply, type Route, type RouteRequest, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { jsonBase, type Addresses } from "../addresses.js";
import type { Publication } from "../catalog/catalog-feed.js";
import { ownedIssues, type Publications } from "../catalog/publications.js";
import { tidyFileName } from "../file-names.js";
import type { Identifiers } from "../identifiers.js";
import { authenticationDocument, authenticationType } from "../json/authentication.js";
import { divinaManifest, divinaType, publicationDocument, publicationType } from "../json/publication.js";
import { IssuePageNotFound, NothingOwned, ShelfNotFound } from "../opds-errors.js";
import { common, json, originOf } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly pages: PagesContract;
  readonly rendered: RenderedPagesContract;
  readonly progress: ReadingProgressContract;
  readonly publications: Publications;
  readonly identifiers: Identifiers;
  readonly log: Logger;
  /** Whether streaming a page counts as reading it. */
  readonly countsReading: () => boolean;
}

/** Pages fetched smaller than this are a client's thumbnails, not reading. */
const smallestRead = 400;
const issueParams = z.object({ cvIssueId: signedIdParameter });
const width = indexParameter.pipe(z.number().int().min(1).max(20_000));
const coverQuery = z.object({ w: width.default(640) });

/** Files, pages, covers and descriptions of single issues. */
export function issueRoutes(sources: Sources): Route[] {
  return [fileRoute(sources, ""), fileRoute(sources, "/{name}"), pageRoute(sources), coverRoute(sources), seriesCoverRoute(sources), publicationRoute(sources), manifestRoute(sources), authenticationRoute()];
}

function fileRoute({ library, pages }: Sources, name: "" | "/{name}"): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `/api/opds/issue/{cvIssueId}/file${name}`,
    summary: "The file of an issue, to be downloaded",
    params: name === "" ? issueParams : issueParams.extend({ name: z.string().max(300) }),
    responseType: "application/octet-stream",
    handle: async ({ params, viewer }) => {
      const issue = await ownedIssue(library, params.cvIssueId, viewer);
      const file = await pages.findFile(issue.id);
      if (!file) throw new NothingOwned(params.cvIssueId);
      return reply.content({ kind: "file", path: file.path, contentType: file.contentType }, { downloadName: tidyFileName(issue, file.name) });
    },
  });
}

function pageRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: "/api/opds/issue/{cvIssueId}/page/{n}",
    summary: "One page of an issue, streamed",
    description: "Counted from 0. JPEG, PNG or GIF, unless Accept names the type of the page.",
    params: issueParams.extend({ n: indexParameter }),
    query: z.object({ w: width.optional() }),
    responseType: "image/*",
    handle: async ({ params, query, viewer, header, method, signal }) => {
      const issue = await ownedIssue(sources.library, params.cvIssueId, viewer);
      const answer = await answerPage(sources, { issue, page: params.n, signal }, { width: query.w, accept: header("accept"), plain: true });
      if (method === "GET" && sources.countsReading() && (query.w ?? smallestRead) >= smallestRead) await advance(sources, viewer, issue, params.n, answer.pages);
      return answer.reply;
    },
  });
}

function coverRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: "/api/opds/issue/{cvIssueId}/cover",
    summary: "The cover of an issue as JPEG, at least w pixels wide",
    params: issueParams,
    query: coverQuery,
    responseType: "image/*",
    handle: async ({ params, query, viewer, signal }) => (await answerPage(sources, { issue: await ownedIssue(sources.library, params.cvIssueId, viewer), page: 0, signal }, { width: query.w, plain: true })).reply,
  });
}

function seriesCoverRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: "/api/opds/series/{id}/cover",
    summary: "The cover of a series' first issue as JPEG, at least w pixels wide",
    params: z.object({ id: idParameter }),
    query: coverQuery,
    responseType: "image/*",
    handle: async ({ params, query, viewer, signal }) => {
      const first = (await ownedIssues(sources.library, params.id, viewer)).find((issue) => issue.pages > 0);
      if (!first) throw new ShelfNotFound(`cover of series ${params.id}`);
      return (await answerPage(sources, { issue: first, page: 0, signal }, { width: query.w, plain: true })).reply;
    },
  });
}

function publicationRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${jsonBase}/issue/{cvIssueId}`,
    summary: "One issue as a publication (OPDS 2.0)",
    params: issueParams,
    responseType: publicationType,
    handle: async (request) => json(publicationDocument(await publication(sources, request.params.cvIssueId, request.viewer), addressesOf(sources, request)), publicationType),
  });
}

function manifestRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${jsonBase}/issue/{cvIssueId}/manifest`,
    summary: "The pages of an issue as a Divina manifest",
    params: issueParams,
    responseType: divinaType,
    handle: async (request) => {
      const found = await publication(sources, request.params.cvIssueId, request.viewer);
      const list = await sources.pages.findPages(found.issue.id);
      if (!list) throw new NothingOwned(request.params.cvIssueId);
      return json(divinaManifest(found, list, addressesOf(sources, request)), divinaType);
    },
  });
}

function authenticationRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/api/opds/auth",
    access: "public",
    summary: "How to sign in (Authentication for OPDS)",
    responseType: authenticationType,
    handle: (request) => json(authenticationDocument(originOf(request)), authenticationType),
  });
}

function addressesOf({ identifiers }: Sources, request: Pick<RouteRequest, "url">): Addresses {
  return { identifiers, origin: originOf(request), base: jsonBase };
}

async function ownedIssue(library: CollectionContract, cvIssueId: number, viewer: Viewer): Promise<Issue> {
  const issue = await library.findIssue(cvIssueId, viewer);
  if (!issue?.owned) throw new NothingOwned(cvIssueId);
  return issue;
}

async function publication(sources: Sources, cvIssueId: number, viewer: Viewer): Promise<Publication> {
  const [found] = await sources.publications.of([await ownedIssue(sources.library, cvIssueId, viewer)], viewer);
  if (!found) throw new NothingOwned(cvIssueId);
  return found;
}

async function answerPage({ rendered }: Sources, { issue, page, signal }: { issue: Issue; page: number; signal: AbortSignal }, shape: PageShape): Promise<{ reply: Reply; pages: number }> {
  const described = await rendered.describe(issue.id, page, shape);
  if (!described) throw new IssuePageNotFound(page, issue.cvIssueId);
  const { validator, pages } = described;
  return { pages, reply: reply.content(() => rendered.read(issue.id, page, shape, signal), { validator, vary: ["Accept"] }) };
}

/** A page is shown even when the place cannot be kept. */
async function advance({ progress, log }: Sources, viewer: Viewer, issue: Issue, page: number, pages: number): Promise<void> {
  try {
    await progress.advance(viewer.user.id, issue.id, page, pages);
  } catch (problem) {
    log.warn("reading progress could not be kept", { issueId: issue.id, page, problem: String(problem) });
  }
}

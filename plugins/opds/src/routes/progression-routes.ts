import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, reply, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { jsonBase } from "../addresses.js";
import type { Identifiers } from "../identifiers.js";
import { positionOfProgression, progressionDocument, progressionSchema, progressionType } from "../json/progression.js";
import {
  positionOfLocator,
  readiumProgressionDocument,
  readiumProgressionSchema,
  readiumProgressionType,
} from "../json/readium-progression.js";
import { getOwned } from "../owned-issue.js";
import { findPlace, keepPlace } from "../places.js";
import { countedPages, typeWords } from "../type-words.js";
import { common, json, originOf } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  readonly identifiers: Identifiers;
}

const path = `${jsonBase}/issue/{cvIssueId}/progression` as const;
const readiumPath = `${jsonBase}/issue/{cvIssueId}/readium-progression` as const;
const params = z.object({ cvIssueId: signedIdParameter });
const writing =
  "Every device can move the position forward; only the device that was furthest can move it back. 409 when the server's position is newer.";

/** The viewer's progress in an issue, which reading apps read and report in two kinds of documents. */
export function progressionRoutes(sources: Sources): Route[] {
  return [readRoute(sources), writeRoute(sources), readReadiumRoute(sources), writeReadiumRoute(sources)];
}

function readRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path,
    params,
    responseType: progressionType,
    summary: "Read the viewer's progress (OPDS Progression)",
    description: "Empty when nothing has been read.",
    handle: async ({ params, viewer }) => {
      const issue = await getOwned(sources.library, params.cvIssueId, viewer);
      const known = await findPlace(sources.reading, issue, viewer);
      return known
        ? json(progressionDocument(known, sources.identifiers), progressionType)
        : reply.text("", progressionType);
    },
  });
}

function writeRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "PUT",
    path,
    params,
    body: progressionSchema,
    responseType: progressionType,
    summary: "Report the viewer's progress (OPDS Progression)",
    description: writing,
    handle: async ({ params, body, viewer }) => {
      const issue = await getOwned(sources.library, params.cvIssueId, viewer);
      const { modified, device } = body;
      const told = { modified, device, position: positionOfProgression(body, await pagesOf(sources, issue)) };
      const kept = await keepPlace(sources.reading, { issue, viewer, ...told });
      return json(progressionDocument(kept, sources.identifiers), progressionType);
    },
  });
}

function readReadiumRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: readiumPath,
    params,
    responseType: readiumProgressionType,
    summary: "Read the viewer's progress (Readium progression)",
    description: "204 when nothing has been read.",
    handle: async (request) => {
      const { params, viewer } = request;
      const issue = await getOwned(sources.library, params.cvIssueId, viewer);
      const known = await findPlace(sources.reading, issue, viewer);
      if (!known) return reply.empty();
      const addresses = { identifiers: sources.identifiers, origin: originOf(request), base: jsonBase };
      return json(readiumProgressionDocument(known, issue, addresses), readiumProgressionType);
    },
  });
}

function writeReadiumRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "PUT",
    path: readiumPath,
    params,
    body: readiumProgressionSchema,
    responseType: readiumProgressionType,
    summary: "Report the viewer's progress (Readium progression)",
    description: writing,
    handle: async ({ params, body, viewer }) => {
      const issue = await getOwned(sources.library, params.cvIssueId, viewer);
      const { modified, device } = body;
      const told = { modified, device, position: positionOfLocator(body, await pagesOf(sources, issue)) };
      await keepPlace(sources.reading, { issue, viewer, ...told });
      return reply.empty();
    },
  });
}

/** The number of pages by which positions are counted; 0 when positions have another unit. */
async function pagesOf({ library }: Sources, issue: Issue): Promise<number> {
  return countedPages(issue, (await typeWords(library))(issue.type));
}

import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import {
  defineRoute,
  reply,
  signedIdParameter,
  type Contributions,
  type Route,
  type RouteRequest,
  type Viewer,
} from "@longbox/sdk";
import { z } from "zod";
import { jsonBase, type Addresses } from "../addresses.js";
import type { Publication } from "../catalog/catalog-feed.js";
import type { RecordingSource } from "../contract.js";
import type { Publications } from "../catalog/publications.js";
import { tidyFileName } from "../file-names.js";
import { archiveOf, asSent } from "../folder-archive.js";
import type { Identifiers } from "../identifiers.js";
import { authenticationDocument, authenticationType } from "../json/authentication.js";
import { audiobookManifest, audiobookType, divinaManifest, divinaType, isRecording } from "../json/manifests.js";
import { publicationDocument, publicationType } from "../json/publication.js";
import { NothingOwned } from "../opds-errors.js";
import { getOwned } from "../owned-issue.js";
import type { StreamedPages } from "../streamed-pages.js";
import { typeWords } from "../type-words.js";
import { common, json, originOf } from "./answers.js";

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly streamed: StreamedPages;
  readonly publications: Publications;
  readonly identifiers: Identifiers;
  readonly recordings: Contributions<RecordingSource>;
}

const issueParams = z.object({ cvIssueId: signedIdParameter });

/** Files and descriptions of single issues. */
export function issueRoutes(sources: Sources): Route[] {
  return [
    fileRoute(sources, ""),
    fileRoute(sources, "/{name}"),
    publicationRoute(sources),
    manifestRoute(sources),
    authenticationRoute(),
  ];
}

function fileRoute({ library, files }: Sources, name: "" | "/{name}"): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `/api/opds/issue/{cvIssueId}/file${name}`,
    summary: "The file of an issue, to be downloaded",
    params: name === "" ? issueParams : issueParams.extend({ name: z.string().max(300) }),
    responseType: "application/octet-stream",
    handle: async ({ params, viewer }) => {
      const issue = await getOwned(library, params.cvIssueId, viewer);
      const file = await files.findFile(issue.id);
      if (!file) return sendFolder({ library, files }, issue);
      const sent = await files.send(file);
      if (!sent) throw new NothingOwned(issue.cvIssueId);
      const { content, validator, lastModified } = sent;
      return reply.content(content, { validator, lastModified, downloadName: tidyFileName(issue, file.name) });
    },
  });
}

/** @throws {NothingOwned} when the issue is no folder, or an empty one */
async function sendFolder({ library, files }: Pick<Sources, "library" | "files">, issue: Issue) {
  const [folder, parts, wordsOf] = await Promise.all([
    files.findFiles([issue.id]).then((found) => found.get(issue.id)),
    files.findParts(issue.id),
    typeWords(library),
  ]);
  if (!folder || !parts || parts.length === 0) throw new NothingOwned(issue.cvIssueId);
  const { name, contentType } = asSent({ ...folder, isFolder: true }, wordsOf(issue.type));
  return reply.content(() => Promise.resolve({ kind: "stream", stream: archiveOf(parts, files), contentType }), {
    downloadName: tidyFileName(issue, name),
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
    handle: async (request) =>
      json(
        publicationDocument(
          await publication(sources, request.params.cvIssueId, request.viewer),
          addressesOf(sources, request),
        ),
        publicationType,
      ),
  });
}

function manifestRoute(sources: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${jsonBase}/issue/{cvIssueId}/manifest`,
    summary: "What is in an issue: its pages as a Divina manifest, or its sound as one of audiobooks",
    params: issueParams,
    responseType: divinaType,
    handle: async (request) => {
      const found = await publication(sources, request.params.cvIssueId, request.viewer);
      const addresses = addressesOf(sources, request);
      if (isRecording(found)) {
        const recording = await findRecording(sources, found.issue.id, request.viewer);
        // The files of a folder can only be played by a plugin that knows their order.
        if (found.file.isFolder && !recording) throw new NothingOwned(request.params.cvIssueId);
        return json(audiobookManifest(found, recording, addresses), audiobookType);
      }
      const list = found.pages > 0 ? await sources.streamed.list(found.issue.id) : undefined;
      if (!list) throw new NothingOwned(request.params.cvIssueId);
      return json(divinaManifest(found, list, addresses), divinaType);
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

async function findRecording({ recordings }: Sources, issueId: number, viewer: Viewer) {
  for (const source of recordings.all()) {
    const recording = await source.findRecording(issueId, viewer);
    if (recording && recording.files.length > 0) return recording;
  }
  return undefined;
}

function addressesOf({ identifiers }: Sources, request: Pick<RouteRequest, "url">): Addresses {
  return { identifiers, origin: originOf(request), base: jsonBase };
}

async function publication(sources: Sources, cvIssueId: number, viewer: Viewer): Promise<Publication> {
  const [found] = await sources.publications.of([await getOwned(sources.library, cvIssueId, viewer)], viewer);
  if (!found) throw new NothingOwned(cvIssueId);
  return found;
}

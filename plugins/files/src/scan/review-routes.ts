import { z } from "zod";
import { defineRoute, NotFound, type Route, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ReviewPage, ScanReview } from "./scan-review.js";

const page = z.object({
  libraryId: z.coerce.number().int().positive().optional(),
  after: z.string().max(4096).default("").meta({ description: "The last path of the page before" }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
const doubtfulSchema = z.object({
  path: z.string(),
  libraryId: z.number().int(),
  seriesId: z.number().int(),
  issueId: z.number().int(),
  readAs: z.string(),
  reasons: z.array(z.string()),
});
const ignoredSchema = z.object({ path: z.string(), libraryId: z.number().int(), reason: z.string() });
export const scanReviewSchema = z.object({ files: z.array(doubtfulSchema) });
export const ignoredPathsSchema = z.object({ files: z.array(ignoredSchema) });

export interface ReviewRouteParts {
  readonly review: ScanReview;
  readonly collection: CollectionContract;
}

/** Routes for the review of scans: uncertain names and ignored files. */
export function reviewRoutes(parts: ReviewRouteParts): Route[] {
  return [...doubtRoutes(parts), ignoredRoute(parts)];
}

function doubtRoutes({ review, collection }: ReviewRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/scan-folder/review",
      access: "library.manage",
      summary: "Files whose names can be read in another way, with where the scan has put them and why",
      query: page,
      response: scanReviewSchema,
      handle: async ({ query, viewer }) => {
        const files = await review.listDoubtful(await pageOf(query, collection, viewer), viewer);
        return { files: files.map((file) => ({ ...file, reasons: [...file.reasons] })) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/scan-folder/review",
      access: "library.manage",
      summary: "Say that files are where they belong; they are listed again only when they are read with other doubts",
      body: z.object({ paths: z.array(z.string().min(1).max(4096)).min(1).max(500) }),
      response: z.object({ settled: z.number().int() }),
      handle: async ({ body, viewer }) => ({
        settled: await review.settle(body.paths, await visibleIds(collection, undefined, viewer)),
      }),
    }),
  ];
}

function ignoredRoute({ review, collection }: ReviewRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/scan-folder/ignored",
    access: "library.manage",
    summary: "Files that scans ignored, with the reasons",
    query: page,
    response: ignoredPathsSchema,
    handle: async ({ query, viewer }) => ({
      files: [...(await review.listIgnored(await pageOf(query, collection, viewer)))],
    }),
  });
}

async function pageOf(
  { libraryId, ...rest }: z.output<typeof page>,
  collection: CollectionContract,
  viewer: Viewer,
): Promise<ReviewPage> {
  return { libraryIds: await visibleIds(collection, libraryId, viewer), ...rest };
}

async function visibleIds(
  collection: CollectionContract,
  libraryId: number | undefined,
  viewer: Viewer,
): Promise<number[]> {
  const ids = (await collection.listLibraries(viewer)).map(({ id }) => id);
  if (libraryId === undefined) return ids;
  if (ids.includes(libraryId)) return [libraryId];
  throw new NotFound("files/library-not-found", `There is no library ${libraryId}.`);
}

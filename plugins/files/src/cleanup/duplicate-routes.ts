import { z } from "zod";
import { defineRoute, idParameter, reply, type Route } from "@longbox/sdk";
import type { DuplicatedIssue, Duplicates } from "./duplicates.js";

const copySchema = z.object({
  path: z.string(),
  name: z.string(),
  sizeBytes: z.number().int(),
  pages: z.number().int(),
  tagged: z.boolean(),
  /** Where its cover is. */
  cover: z.string(),
});
const duplicatedSchema = z.object({
  issueId: z.number().int(),
  seriesId: z.number().int(),
  label: z.string(),
  /** The first is the one that is read. */
  files: z.array(copySchema),
});
export const duplicatesSchema = z.object({ issues: z.array(duplicatedSchema), next: z.number().int().optional() });
export const keptCopySchema = z.object({ moved: z.number().int(), batchId: z.number().int().optional() });

const access = "library.manage";
const path = z.string().min(1).max(4096);
const params = z.object({ id: idParameter });

/** Routes for comparing several files of one issue. */
export function duplicateRoutes(duplicates: Duplicates): Route[] {
  return [listRoute(duplicates), coverRoute(duplicates), keepRoute(duplicates)];
}

function listRoute(duplicates: Duplicates): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/duplicates",
    access,
    summary: "Issues of which there are several files, to be compared",
    query: z.object({
      after: z.coerce.number().int().nonnegative().default(0),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: duplicatesSchema,
    handle: async ({ query, viewer }) => {
      const { issues, next } = await duplicates.list(query, viewer);
      return { issues: issues.map(documentOf), ...(next !== undefined && { next }) };
    },
  });
}

function coverRoute(duplicates: Duplicates): Route {
  return defineRoute({
    method: "GET",
    path: "/api/library/duplicates/{id}/cover",
    access,
    summary: "The cover of one file of an issue",
    params,
    query: z.object({ path }),
    responseType: "image/*",
    handle: async ({ params: { id }, query, viewer }) =>
      reply.content(await duplicates.readCover(id, query.path, viewer), {}),
  });
}

function keepRoute(duplicates: Duplicates): Route {
  return defineRoute({
    method: "POST",
    path: "/api/library/duplicates/{id}/keep",
    access,
    summary: "Keep one file of an issue, the others go to the trash; without a path, keep all of them",
    description: "`batchId` is what undoing takes.",
    params,
    body: z.object({ path: path.optional() }),
    response: keptCopySchema,
    async handle({ params: { id }, body, viewer }) {
      if (body.path === undefined) {
        await duplicates.keepAll(id, viewer);
        return { moved: 0 };
      }
      const { moved, batchId } = await duplicates.keepOne(id, body.path, viewer);
      return { moved, ...(batchId !== undefined && { batchId }) };
    },
  });
}

function documentOf({ issue, files }: DuplicatedIssue): z.output<typeof duplicatedSchema> {
  return {
    issueId: issue.id,
    seriesId: issue.seriesId,
    label: issue.label.full,
    files: files.map(({ path: file, name, sizeBytes, pages, tagged }) => ({
      ...{ path: file, name, sizeBytes, pages, tagged },
      cover: `/api/library/duplicates/${issue.id}/cover?${new URLSearchParams({ path: file })}`,
    })),
  };
}

import { defineRoute, idParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Listening } from "../listening.js";
import { access, bookmarkSchema, issueParams, progressSchema } from "./shapes.js";

/** Beyond any book: a thousand hours. */
const seconds = z.number().min(0).max(3_600_000);
const device = z.string().min(1).max(200);

const progressBody = z.object({
  position: seconds,
  duration: seconds,
  device: device.default("Web player").meta({ description: "The same in every report of a device" }),
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "When it was heard, for devices that report late. Default: now" }),
  completed: z.boolean().optional().meta({ description: "Default: whether the position is the end" }),
  mayGoBack: z.boolean().optional().meta({ description: "The listener went back on purpose" }),
  restart: z.boolean().optional().meta({ description: "The listener begins again: the completion is removed" }),
});

const bookmarkBody = z.object({
  id: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: "A bookmark in this audiobook to be changed; without it one is added" }),
  position: seconds,
  note: z.string().max(10_000).default(""),
});

/** Positions and bookmarks. */
export function listeningRoutes(listening: Listening): Route[] {
  return [readProgress(listening), reportProgress(listening), ...bookmarkRoutes(listening)];
}

function readProgress(listening: Listening): Route {
  return defineRoute({
    method: "GET",
    path: "/api/audiobooks/issue/{id}/progress",
    access,
    summary: "Read the viewer's position; null when the audiobook was not begun",
    params: issueParams,
    query: z.object({ device: device.optional() }),
    response: progressSchema.nullable(),
    handle: async ({ params, query, viewer }) => reply.json(await listening.progress(viewer, params.id, query.device)),
  });
}

function reportProgress(listening: Listening): Route {
  return defineRoute({
    method: "POST",
    path: "/api/audiobooks/issue/{id}/progress",
    access,
    summary: "Report the viewer's position",
    params: issueParams,
    body: progressBody,
    response: progressSchema,
    handle: ({ params, body, viewer }) => listening.report(viewer, params.id, body),
  });
}

function bookmarkRoutes(listening: Listening): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/audiobooks/issue/{id}/bookmarks",
      access,
      summary: "List the viewer's bookmarks in an audiobook, by position",
      params: issueParams,
      response: z.array(bookmarkSchema),
      handle: ({ params, viewer }) => listening.listBookmarks(viewer, params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/audiobooks/issue/{id}/bookmarks",
      access,
      summary: "Set a bookmark, or change one",
      params: issueParams,
      body: bookmarkBody,
      response: bookmarkSchema,
      handle: ({ params, body: { id, ...bookmark }, viewer }) =>
        id === undefined
          ? listening.addBookmark(viewer, params.id, bookmark)
          : listening.changeBookmark(viewer, params.id, { id, ...bookmark }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/audiobooks/bookmarks/{bookmarkId}",
      access,
      summary: "Remove one of the viewer's bookmarks",
      params: z.object({ bookmarkId: idParameter }),
      response: z.object({ removed: z.boolean() }),
      handle: async ({ params, viewer }) => {
        await listening.removeBookmark(viewer, params.bookmarkId);
        return { removed: true };
      },
    }),
  ];
}

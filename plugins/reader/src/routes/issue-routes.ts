import { defineRoute, signedIdParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { noteSchema } from "../note-records.js";
import { WrongField } from "../reader-errors.js";
import { progressDocument, progressSchema } from "../shelf-items.js";
import type { WebReading } from "../web-reading.js";

const access = "reader.read";
const issueParams = z.object({ cvIssueId: signedIdParameter });
const pageNumber = z.number().int().min(0).max(100_000);

const progressBody = z.object({
  page: pageNumber,
  pages: z.number().int().min(1).max(100_001),
  completed: z
    .boolean()
    .optional()
    .meta({ description: "Default: whether the page is the last one. A completion is kept after later reports" }),
  readAt: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "When the page was read, for devices that report late. Default: now" }),
  restart: z.boolean().default(false).meta({ description: "Starts the issue again: the completion is removed" }),
});

/** What users do to issues. */
export function issueRoutes(reading: WebReading): Route[] {
  return [
    stateRoute(reading),
    progressRoute(reading),
    markRoute(reading),
    bulkRoute(reading),
    bookmarkRoute(reading),
    noteRoute(reading),
    laterRoute(reading),
  ];
}

const stateSchema = z.object({
  cvIssueId: z.number().int(),
  readable: z.boolean(),
  progress: progressSchema.nullable(),
  later: z.boolean(),
});

function stateRoute(reading: WebReading): Route {
  return defineRoute({
    method: "GET",
    path: "/api/reader/issue/{cvIssueId}/progress",
    access,
    summary: "Read the viewer's progress without opening the issue",
    params: issueParams,
    response: stateSchema,
    handle: async ({ params, viewer }) => {
      const { progress, ...state } = await reading.state(viewer, params.cvIssueId);
      return { cvIssueId: params.cvIssueId, ...state, progress: progress ? progressDocument(progress) : null };
    },
  });
}

function progressRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/issue/{cvIssueId}/progress",
    access,
    summary: "Report the viewer's progress",
    params: issueParams,
    body: progressBody,
    response: progressSchema,
    handle: async ({ params, body, viewer }) => {
      if (body.page >= body.pages) throw new WrongField("page", `must be less than the ${body.pages} pages`);
      const completed = body.completed ?? body.page === body.pages - 1;
      return progressDocument(
        await reading.report(viewer, params.cvIssueId, {
          ...body,
          completed,
          readAt: body.readAt,
        }),
      );
    },
  });
}

function markRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/issue/{cvIssueId}/mark",
    access,
    summary: "Mark the issue as read or unread",
    params: issueParams,
    body: z.object({ read: z.boolean() }),
    response: z.object({ read: z.boolean() }),
    handle: async ({ params, body, viewer }) => {
      await reading.mark(viewer, [params.cvIssueId], body.read);
      return { read: body.read };
    },
  });
}

function bulkRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/read-bulk",
    access,
    summary: "Mark many issues as read or unread",
    description: "`ids` are cvIssueIds. When one is unknown, nothing is done.",
    body: z.object({
      ids: z
        .array(
          z
            .number()
            .int()
            .refine((id) => id !== 0, "must not be 0"),
        )
        .min(1)
        .max(5000),
      read: z.boolean(),
    }),
    response: z.object({ done: z.number().int() }),
    handle: async ({ body, viewer }) => ({
      done: await reading.mark(viewer, body.ids, body.read),
    }),
  });
}

function bookmarkRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/issue/{cvIssueId}/bookmark",
    access,
    summary: "Set or clear a bookmark",
    params: issueParams,
    body: z.object({ page: pageNumber, on: z.boolean() }),
    response: z.object({ bookmarks: z.array(z.number().int()) }),
    handle: async ({ params, body, viewer }) => ({
      bookmarks: await reading.bookmark(viewer, params.cvIssueId, body),
    }),
  });
}

function noteRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/issue/{cvIssueId}/note",
    access,
    summary: "Write the viewer's note on a page",
    description: "It replaces the note that the page has; an empty one is removed. Only the viewer sees it.",
    params: issueParams,
    body: z.object({ page: pageNumber, text: z.string().trim().max(4000) }),
    response: z.object({ notes: z.array(noteSchema) }),
    handle: async ({ params, body, viewer }) => ({
      notes: await reading.writeNote(viewer, params.cvIssueId, body),
    }),
  });
}

function laterRoute(reading: WebReading): Route {
  return defineRoute({
    method: "POST",
    path: "/api/reader/later/{cvIssueId}",
    access,
    summary: "Add the issue to the read-later shelf, or remove it",
    params: issueParams,
    body: z.object({ on: z.boolean() }),
    response: z.object({ on: z.boolean() }),
    handle: async ({ params, body, viewer }) => {
      await reading.setLater(viewer, params.cvIssueId, body.on);
      return { on: body.on };
    },
  });
}

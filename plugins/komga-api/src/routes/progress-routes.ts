import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, reply, type Reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import { PageRequired } from "../komga-errors.js";
import type { Books } from "../shelving/books.js";
import type { Shelf } from "../shelving/shelf.js";
import { markRead, track } from "../shelving/tracking.js";
import { bookParams, common, root, secondRoot, seriesParams } from "./queries.js";
import { getSeries } from "./series-routes.js";

export interface ProgressSources {
  readonly books: Books;
  readonly reading: ReadingContract;
  readonly shelf: Shelf;
}

/** Apps expect an answer without content. */
export const done = (): Reply => reply.empty({}, { protocolStatus: 204 });

const updateSchema = z.object({
  /** From 1. */
  page: z.number().int().min(1).max(1_000_000).optional(),
  completed: z.boolean().optional(),
});

const counts = {
  booksCount: z.number().int(),
  booksReadCount: z.number().int(),
  booksUnreadCount: z.number().int(),
  booksInProgressCount: z.number().int(),
};
export const trackedSchema = z.object({ ...counts, lastReadContinuousIndex: z.number().int() });
const trackedByNumberSchema = z.object({
  ...counts,
  lastReadContinuousNumberSort: z.number(),
  maxNumberSort: z.number(),
});
export const lastBookSchema = z.object({ lastBookRead: z.number().int().min(0) });

/** The reading progress of the viewer, in both directions. */
export function progressRoutes(sources: ProgressSources): Route[] {
  return [...bookRoutes(sources), ...seriesRoutes(sources), ...trackerRoutes(sources)];
}

function bookRoutes({ books, reading }: ProgressSources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "PATCH",
      path: `${root}/books/{bookId}/read-progress`,
      summary: "Report the page of a book; with `completed` alone, mark it as read",
      params: bookParams,
      body: updateSchema,
      async handle({ params, body, viewer, header }) {
        const { id, pages } = await books.get(params.bookId, viewer);
        const { page, completed } = body;
        if (page === undefined && completed !== true) throw new PageRequired();
        if (page === undefined) await reading.mark(viewer, [id], true);
        else {
          const position = { kind: "page", page: Math.min(page, pages) - 1, pages } as const;
          await reading.report(viewer, id, { position, completed, device: deviceOf(header("user-agent")) });
        }
        return done();
      },
    }),
    defineRoute({
      ...common,
      method: "DELETE",
      path: `${root}/books/{bookId}/read-progress`,
      summary: "Mark a book as unread",
      params: bookParams,
      async handle({ params, viewer }) {
        const { id } = await books.get(params.bookId, viewer);
        await reading.mark(viewer, [id], false);
        return done();
      },
    }),
  ];
}

function seriesRoutes({ shelf, reading }: ProgressSources): Route[] {
  const mark = (method: "POST" | "DELETE", read: boolean) =>
    defineRoute({
      ...common,
      method,
      path: `${root}/series/{seriesId}/read-progress`,
      summary: `Mark every book of a series as ${read ? "read" : "unread"}`,
      params: seriesParams,
      async handle({ params, viewer }) {
        const { bookIds } = await getSeries(shelf, params.seriesId, viewer);
        await reading.mark(viewer, bookIds, read);
        return done();
      },
    });
  return [mark("POST", true), mark("DELETE", false)];
}

/** Mihon's tracker: `v1` counts books, `v2` uses their numbers. */
function trackerRoutes(sources: ProgressSources): Route[] {
  return [...countingRoutes(sources), ...numberingRoutes(sources)];
}

function countingRoutes({ books, reading, shelf }: ProgressSources): Route[] {
  const path = `${root}/series/{seriesId}/read-progress/tachiyomi` as const;
  return [
    defineRoute({
      ...common,
      method: "GET",
      path,
      summary: "How many books of a series are read, for trackers that count",
      params: seriesParams,
      response: trackedSchema,
      async handle({ params, viewer }) {
        const { id } = await getSeries(shelf, params.seriesId, viewer);
        const { continuous, ...counted } = await track(await books.ofSeries(id, viewer), { reading, viewer });
        return { ...counted, lastReadContinuousIndex: continuous };
      },
    }),
    defineRoute({
      ...common,
      method: "PUT",
      path,
      summary: "Mark the first books of a series as read",
      params: seriesParams,
      body: lastBookSchema,
      async handle({ params, body, viewer }) {
        const { id } = await getSeries(shelf, params.seriesId, viewer);
        const first = (await books.ofSeries(id, viewer)).slice(0, body.lastBookRead);
        await markRead(first, { reading, viewer });
        return done();
      },
    }),
  ];
}

function numberingRoutes({ books, reading, shelf }: ProgressSources): Route[] {
  const path = `${secondRoot}/series/{seriesId}/read-progress/tachiyomi` as const;
  return [
    defineRoute({
      ...common,
      method: "GET",
      path,
      summary: "Up to which number a series is read, for trackers",
      params: seriesParams,
      response: trackedByNumberSchema,
      async handle({ params, viewer }) {
        const { id } = await getSeries(shelf, params.seriesId, viewer);
        const all = await books.ofSeries(id, viewer);
        const { continuous, ...counted } = await track(all, { reading, viewer });
        return {
          ...counted,
          lastReadContinuousNumberSort: all[continuous - 1]?.numberSort ?? 0,
          maxNumberSort: all.at(-1)?.numberSort ?? 0,
        };
      },
    }),
    defineRoute({
      ...common,
      method: "PUT",
      path,
      summary: "Mark the books of a series up to a number as read",
      params: seriesParams,
      body: z.object({ lastBookNumberSortRead: z.number() }),
      async handle({ params, body, viewer }) {
        const { id } = await getSeries(shelf, params.seriesId, viewer);
        const all = await books.ofSeries(id, viewer);
        const read = all.filter(({ numberSort }) => numberSort <= body.lastBookNumberSortRead);
        await markRead(read, { reading, viewer });
        return done();
      },
    }),
  ];
}

/** One device for each app: the protocol names no devices. */
function deviceOf(userAgent: string | undefined): string {
  const product = /^[A-Za-z][\w .-]{0,40}/.exec(userAgent ?? "")?.[0].trim();
  return product ? `Komga app (${product})` : "Komga app";
}

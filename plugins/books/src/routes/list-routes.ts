import type { CollectionContract } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, idListParameter, indexParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { describeBooks } from "../finding/describing-books.js";
import type { FindingBooks } from "../finding/finding-books.js";
import { bookType } from "../formats/book-formats.js";
import { protections } from "../details.js";
import type { BookReading } from "../reading/book-reading.js";
import { access, timeZone } from "./common.js";
import { progressDocument, progressSchema } from "./progress-routes.js";

interface Sources {
  readonly books: FindingBooks;
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  readonly positions: BookReading;
}

const protection = z
  .enum(protections)
  .nullable()
  .meta({ description: "The scheme that protects the file from being read here; null for none" });

export const bookSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  authors: z.array(z.string()),
  series: z.string().optional(),
  number: z.string().optional().meta({ description: "The position in the series" }),
  format: z.string().meta({ description: "Of the file that is sent when none is asked for" }),
  formats: z.array(z.string()).meta({ description: "All formats of the book, the best to read first" }),
  files: z.array(z.object({ format: z.string(), size: z.number().int(), drm: protection })),
  size: z.number().int().meta({ description: "Bytes" }),
  drm: protection,
  language: z.string().optional(),
  isbn: z.string().optional(),
  pages: z.number().int().optional(),
  rightToLeft: z.boolean(),
  fixedLayout: z.boolean(),
  cover: z.string().meta({ description: "The address of the cover, which may answer 404" }),
  description: z.string().optional(),
  progress: progressSchema.nullable(),
});

export const statisticsSchema = z.object({
  finished: z.number().int(),
  reading: z.number().int(),
  seconds: z.number(),
  pages: z.number().int(),
  streakDays: z.number().int(),
  perDay: z.array(z.object({ day: z.string(), seconds: z.number(), pages: z.number().int() })),
});

const stateSchema = z.record(
  z.string(),
  progressSchema.pick({ locator: true, fraction: true, completed: true, at: true }),
);

/** Many books at once, and what the viewer read of all. */
export function listRoutes(sources: Sources): Route[] {
  return [booksRoute(sources), stateRoute(sources), statisticsRoute(sources)];
}

function booksRoute(sources: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/ebooks/books",
    access,
    summary: "Describe books",
    description: "Ids that are unknown, hidden, or of no readable book are left out. At most 1,000 ids.",
    query: z.object({ issues: idListParameter }),
    response: z.array(bookSchema),
    handle: async ({ query, viewer }) => {
      const described = await describeBooks(sources, query.issues, viewer);
      return described.map(({ progress, ...book }) => ({
        ...book,
        progress: progress ? progressDocument(progress) : null,
      }));
    },
  });
}

function stateRoute({ positions }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/ebooks/state",
    access,
    summary: "Read every position of the viewer in books, by the ids of the books",
    response: stateSchema,
    handle: async ({ viewer }) => {
      const all = await positions.listAll(viewer, bookType.id);
      return Object.fromEntries(
        [...all].map(([id, { locator, fraction, completed, at }]) => [id, { locator, fraction, completed, at }]),
      );
    },
  });
}

function statisticsRoute({ reading }: Sources): Route {
  return defineRoute({
    method: "GET",
    path: "/api/ebooks/stats",
    access,
    summary: "What the viewer read of books",
    query: z.object({ timeZone, days: indexParameter.pipe(z.number().int().min(1).max(366)).default(30) }),
    response: statisticsSchema,
    handle: async ({ query, viewer }) => {
      const statistics = await reading.statistics(viewer, { ...query, types: [bookType.id] });
      const { finished, begun, seconds, pages, streak, days } = statistics;
      const perDay = days.map((day) => ({ day: day.day, seconds: day.seconds, pages: day.pages }));
      return { finished, reading: begun, seconds, pages, streakDays: streak.current, perDay };
    },
  });
}

import { defineRoute, flagParameter, indexParameter, reply, type Route, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { z } from "zod";
import type { BookmarkRecords } from "../bookmark-records.js";
import {
  groupBySeries,
  issueDocument,
  isoTime,
  issueSchema,
  shelfItemSchema,
  withFormats,
  type ShelfItem,
} from "../shelf-items.js";
import type { Shelves } from "../shelves.js";
import { statisticsDocument, statisticsSchema } from "../statistics.js";
import { visibleIssues } from "../visible-issues.js";

const access = "reader.read";
const limit = indexParameter.pipe(z.number().int().min(1).max(100)).default(20);
const offset = indexParameter.pipe(z.number().int().max(10_000)).default(0);
/** Items that are looked through to fill a shelf with different series. */
const groupedFrom = 200;
const timeZone = z.string().max(64).refine(isTimeZone, "must be a time zone such as Europe/Berlin").default("UTC");

/** What to read, and what was read. */
export function shelfRoutes(sources: {
  shelves: Shelves;
  reading: ReadingContract;
  bookmarks: BookmarkRecords;
  library: CollectionContract;
}): Route[] {
  const { shelves, library } = sources;
  const shelf = (name: string, summary: string, read: ReadShelf) => shelfRoute({ name, summary, read, library });
  const manyOfSeries = (name: string, summary: string, read: ReadShelf) =>
    shelfRoute({ name, summary, read, library, isGrouping: true });
  return [
    shelf("continue", "Issues in progress", (viewer, count) => shelves.continue(viewer, count)),
    shelf("next-up", "The next issue of each series that the viewer reads", (viewer, count) =>
      shelves.nextUp(viewer, count),
    ),
    manyOfSeries("new-in-library", "The newest issues in the library that the viewer has not read", (viewer, count) =>
      shelves.newInLibrary(viewer, count),
    ),
    manyOfSeries("recently-finished", "Issues that the viewer finished last", (viewer, count) =>
      shelves.recentlyFinished(viewer, count),
    ),
    shelf("start-new", "First issues of series that the viewer has not started", (viewer, count) =>
      shelves.startNew(viewer, count),
    ),
    manyOfSeries("later", "Issues on the read-later shelf", (viewer, count) => shelves.later(viewer, count)),
    bookmarksRoute(sources.bookmarks, sources.library),
    statisticsRoute(sources.reading),
  ];
}

type ReadShelf = (viewer: Viewer, limit: number) => Promise<ShelfItem[]>;

interface ShelfRoute {
  readonly name: string;
  readonly summary: string;
  readonly read: ReadShelf;
  readonly library: CollectionContract;
  /** It may hold many items of one series. */
  readonly isGrouping?: boolean;
}

function shelfRoute({ name, summary, read, library, isGrouping = false }: ShelfRoute): Route {
  return defineRoute({
    method: "GET",
    path: `/api/reader/${name}`,
    access,
    summary,
    ...(isGrouping && {
      description:
        "With `grouped=true`, only the first item of each series is listed; `more` says how many others there are among the first items.",
    }),
    query: z.object({ limit, offset, grouped: flagParameter.default(false) }),
    response: z.object({ items: z.array(shelfItemSchema) }),
    async handle({ query, viewer }) {
      const end = query.offset + query.limit;
      const items =
        query.grouped && isGrouping
          ? groupBySeries(await read(viewer, Math.max(groupedFrom, end)))
          : await read(viewer, end);
      return { items: await withFormats(library, items.slice(query.offset, end)) };
    },
  });
}

export const bookmarkSchema = issueSchema.extend({ page: z.number().int(), createdAt: z.string() });

function bookmarksRoute(bookmarks: BookmarkRecords, library: CollectionContract): Route {
  return defineRoute({
    method: "GET",
    path: "/api/reader/bookmarks",
    access,
    summary: "Every bookmark of the viewer, newest first",
    description: "All of them, unless limit and offset ask for a part. X-Total-Count says how many there are.",
    query: z.object({
      limit: indexParameter.pipe(z.number().int().min(1)).optional(),
      offset: indexParameter.default(0),
    }),
    response: z.array(bookmarkSchema),
    handle: async ({ query, viewer }) => {
      const rows: Array<z.output<typeof bookmarkSchema>> = [];
      for await (const { record, issue } of visibleIssues(library, await bookmarks.listAll(viewer.user.id), viewer)) {
        rows.push({ ...issueDocument(issue), page: record.page, createdAt: isoTime(record.createdAt) });
      }
      const part = rows.slice(query.offset, query.limit === undefined ? undefined : query.offset + query.limit);
      return reply.json(part, { "X-Total-Count": String(rows.length) });
    },
  });
}

function statisticsRoute(reading: ReadingContract): Route {
  return defineRoute({
    method: "GET",
    path: "/api/reader/stats",
    access,
    summary: "The viewer's reading statistics, by days of a time zone",
    query: z.object({ timeZone, days: indexParameter.pipe(z.number().int().min(1).max(366)).default(30) }),
    response: statisticsSchema,
    handle: async ({ query, viewer }) => statisticsDocument(query.timeZone, await reading.statistics(viewer, query)),
  });
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

import type { CoversContract } from "@longbox/collection/contract";
import type { ListsContract, ReadingList } from "@longbox/lists/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, type OptionalCapability, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { bookSchema } from "../documents/book.js";
import { cut, instant, pageSchema, wrap } from "../documents/common.js";
import { ImageNotFound, ReadListNotFound } from "../komga-errors.js";
import type { Books } from "../shelving/books.js";
import { markRead, track } from "../shelving/tracking.js";
import { answerCover } from "./page-routes.js";
import { done, lastBookSchema, trackedSchema } from "./progress-routes.js";
import { common, listParams, pagingOf, pagingQuery, pagingShape, root } from "./queries.js";
import { answerBooks } from "./series-routes.js";

export interface ReadListSources {
  readonly lists: OptionalCapability<ListsContract>;
  readonly books: Books;
  readonly covers: CoversContract;
  readonly reading: ReadingContract;
}

const readListSchema = z.object({
  id: z.string(),
  name: z.string(),
  summary: z.string(),
  ordered: z.boolean(),
  bookIds: z.array(z.string()),
  createdDate: instant,
  lastModifiedDate: instant,
  filtered: z.boolean(),
});

/** The viewer's reading lists, and those that others share. Without the plugin `lists` there are none. */
export function readListRoutes(sources: ReadListSources): Route[] {
  return [listRoute(sources), ...singleRoutes(sources), coverRoute(sources), ...trackerRoutes(sources)];
}

function listRoute(sources: ReadListSources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/readlists`,
    summary: "The reading lists that the viewer may see",
    query: z.object({ ...pagingShape, search: z.string().max(300).default("") }),
    response: pageSchema(readListSchema),
    async handle({ query, viewer }) {
      const all = sources.lists.available() ? await sources.lists.use.listLists(viewer) : [];
      const search = query.search.toLowerCase();
      const paging = pagingOf(query);
      const { content, totalElements } = cut(
        all.filter(({ name }) => name.toLowerCase().includes(search)),
        paging,
      );
      const documents = await Promise.all(content.map((list) => documentOf(sources, list, viewer)));
      return wrap({ content: documents, totalElements }, paging);
    },
  });
}

function singleRoutes(sources: ReadListSources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/readlists/{readListId}`,
      summary: "One reading list",
      params: listParams,
      response: readListSchema,
      handle: async ({ params, viewer }) =>
        documentOf(sources, await getList(sources, params.readListId, viewer), viewer),
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/readlists/{readListId}/books`,
      summary: "The books of a reading list, in its order",
      params: listParams,
      query: pagingQuery,
      response: pageSchema(bookSchema),
      async handle({ params, query, viewer }) {
        const paging = pagingOf(query);
        const books = await booksOf(sources, params.readListId, viewer);
        return answerBooks(sources.books, cut(books, paging), { paging, viewer });
      },
    }),
  ];
}

function coverRoute(sources: ReadListSources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/readlists/{readListId}/thumbnail`,
    summary: "The cover of the first book of a reading list",
    params: listParams,
    responseType: "image/*",
    async handle({ params, viewer }) {
      const [first] = await booksOf(sources, params.readListId, viewer);
      if (!first) throw new ImageNotFound();
      return answerCover(sources.covers, { issueId: first.issue.id }, viewer);
    },
  });
}

function trackerRoutes(sources: ReadListSources): Route[] {
  const { reading } = sources;
  const path = `${root}/readlists/{readListId}/read-progress/tachiyomi` as const;
  return [
    defineRoute({
      ...common,
      method: "GET",
      path,
      summary: "How many books of a reading list are read, for trackers",
      params: listParams,
      response: trackedSchema,
      async handle({ params, viewer }) {
        const books = await booksOf(sources, params.readListId, viewer);
        const { continuous, ...counted } = await track(books, { reading, viewer });
        return { ...counted, lastReadContinuousIndex: continuous };
      },
    }),
    defineRoute({
      ...common,
      method: "PUT",
      path,
      summary: "Mark the first books of a reading list as read",
      params: listParams,
      body: lastBookSchema,
      async handle({ params, body, viewer }) {
        const books = await booksOf(sources, params.readListId, viewer);
        await markRead(books.slice(0, body.lastBookRead), { reading, viewer });
        return done();
      },
    }),
  ];
}

/** @throws {ReadListNotFound} also for lists that are hidden from the viewer */
async function getList({ lists }: ReadListSources, id: number, viewer: Viewer): Promise<ReadingList> {
  const list = lists.available() ? await lists.use.findList(id, viewer) : undefined;
  if (!list) throw new ReadListNotFound(String(id));
  return list;
}

async function booksOf(sources: ReadListSources, id: number, viewer: Viewer) {
  await getList(sources, id, viewer);
  const items = await sources.lists.use.listItems(id, viewer);
  const issueIds = items.flatMap(({ issueId, owned }) => (owned && issueId !== undefined ? issueId : []));
  return sources.books.place(issueIds, viewer);
}

async function documentOf(
  sources: ReadListSources,
  { id, name, createdAt, items, owned }: ReadingList,
  viewer: Viewer,
) {
  const books = await booksOf(sources, id, viewer);
  return {
    id: String(id),
    name,
    summary: "",
    ordered: true,
    bookIds: books.map(({ issue }) => String(issue.id)),
    createdDate: createdAt,
    lastModifiedDate: createdAt,
    filtered: owned < items,
  };
}

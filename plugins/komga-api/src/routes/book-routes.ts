import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, reply, type Route, type Viewer } from "@longbox/sdk";
import { bookSchema } from "../documents/book.js";
import { cut, pageSchema } from "../documents/common.js";
import { BookNotFound } from "../komga-errors.js";
import { isBook, type Books } from "../shelving/books.js";
import { hasStatus, statesOf } from "../shelving/selecting-books.js";
import type { Shelf } from "../shelving/shelf.js";
import { bookParams, bookQuery, common, pagingOf, root, type BookQuery } from "./queries.js";
import { answerBooks } from "./series-routes.js";

export interface BookRouteSources {
  readonly shelf: Shelf;
  readonly books: Books;
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
}

/** How many books are found by a search, and how many series are looked at for the next book. */
const mostFound = 500;
const mostOnDeck = 50;

export function bookRoutes(sources: BookRouteSources): Route[] {
  return [...listRoutes(sources), ...singleRoutes(sources), fileRoute(sources)];
}

function listRoutes(sources: BookRouteSources): Route[] {
  const list = (path: string, summary: string, find: (query: BookQuery, viewer: Viewer) => Promise<number[]>) =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/books${path}`,
      summary,
      query: bookQuery,
      response: pageSchema(bookSchema),
      async handle({ query, viewer }) {
        const paging = pagingOf(query);
        const { content, totalElements } = cut(await find(query, viewer), paging);
        const books = await sources.books.place(content, viewer);
        return answerBooks(sources.books, { content: books, totalElements }, { paging, viewer });
      },
    });
  const newest: BookQuery["sort"] = [{ property: "created", isDescending: true }];
  return [
    list("", "Books, filtered and sorted", (query, viewer) => findBooks(sources, query, viewer)),
    list("/latest", "Books that were added last", (query, viewer) =>
      findBooks(sources, { ...query, sort: newest }, viewer),
    ),
    list("/ondeck", "The next unread book of each series of which the viewer has finished one", (_, viewer) =>
      findOnDeck(sources, viewer),
    ),
  ];
}

async function findBooks(sources: BookRouteSources, query: BookQuery, viewer: Viewer): Promise<number[]> {
  if (query.deleted === true) return [];
  return orderBooks(sources, await candidates(sources, query, viewer), { query, viewer });
}

/** The books among these that have the wanted status, in the wanted order. */
export async function orderBooks(
  sources: Pick<BookRouteSources, "reading">,
  ids: readonly number[],
  { query, viewer }: { readonly query: BookQuery; readonly viewer: Viewer },
): Promise<number[]> {
  const [sort] = query.sort;
  const needsStates = query.read_status.length > 0 || sort?.property === "readProgress.readDate";
  const states = needsStates ? await statesOf(ids, { reading: sources.reading, viewer }) : new Map();
  const selected = ids.filter((id) => hasStatus(id, query.read_status, states));
  const readAt = (id: number) => Date.parse(states.get(id)?.at ?? "") || 0;
  if (sort?.property === "readProgress.readDate") selected.sort((one, other) => readAt(one) - readAt(other));
  // Issues are numbered as they are added.
  else if (sort && /^(created|lastModified)/.test(sort.property)) selected.sort((one, other) => one - other);
  return sort?.isDescending ? selected.toReversed() : selected;
}

async function candidates({ shelf, library }: BookRouteSources, query: BookQuery, viewer: Viewer): Promise<number[]> {
  const libraries = new Set(query.library_id);
  const { all, byId } = await shelf.get(viewer);
  const isWanted = (libraryId: number | undefined) => libraries.size === 0 || libraries.has(String(libraryId));
  if (query.search === "") return all.filter(({ libraryId }) => isWanted(libraryId)).flatMap(({ bookIds }) => bookIds);
  const found = await library.searchIssues(query.search, mostFound, viewer);
  return found
    .filter((issue) => isBook(issue) && isWanted(byId.get(issue.seriesId)?.libraryId))
    .map((issue) => issue.id);
}

async function findOnDeck({ library, reading }: BookRouteSources, viewer: Viewer): Promise<number[]> {
  const finished = await reading.listFinishedSeries(viewer, { limit: mostOnDeck });
  const next = await Promise.all(finished.map(({ issue }) => library.neighbours(issue.id, viewer)));
  const ids = next.flatMap((around) => (around.next && isBook(around.next) ? around.next.id : []));
  const states = await statesOf(ids, { reading, viewer });
  return ids.filter((id) => !states.has(id));
}

function singleRoutes({ books, library }: BookRouteSources): Route[] {
  const neighbour = (which: "previous" | "next") =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/books/{bookId}/${which}`,
      summary: `The ${which} book of the series`,
      params: bookParams,
      response: bookSchema,
      async handle({ params, viewer }) {
        const { id } = await books.get(params.bookId, viewer);
        const found = (await library.neighbours(id, viewer))[which];
        if (!found) throw new BookNotFound(`${which} of ${id}`);
        return books.document(found.id, viewer);
      },
    });
  const single = defineRoute({
    ...common,
    method: "GET",
    path: `${root}/books/{bookId}`,
    summary: "One book",
    params: bookParams,
    response: bookSchema,
    handle: ({ params, viewer }) => books.document(params.bookId, viewer),
  });
  return [single, neighbour("previous"), neighbour("next")];
}

function fileRoute({ books, files }: BookRouteSources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/books/{bookId}/file`,
    summary: "The file of a book",
    params: bookParams,
    responseType: "application/octet-stream",
    async handle({ params, viewer }) {
      const { id } = await books.get(params.bookId, viewer);
      const file = await files.findFile(id);
      const sendable = file && !file.isFolder ? await files.send(file) : undefined;
      if (!file || !sendable) throw new BookNotFound(String(id));
      const { content, validator, lastModified } = sendable;
      return reply.content(content, { validator, lastModified, downloadName: file.name });
    },
  });
}

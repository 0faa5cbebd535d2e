import type { ReadingContract } from "@longbox/reading/contract";
import { defineRoute, type Route, type Viewer } from "@longbox/sdk";
import type { z } from "zod";
import { bookSchema, type PlacedBook } from "../documents/book.js";
import { cut, pageSchema, wrap, type PageOf, type Paging } from "../documents/common.js";
import { seriesDocument, seriesSchema, type SeriesDocument } from "../documents/series.js";
import { SeriesNotFound } from "../komga-errors.js";
import type { Books } from "../shelving/books.js";
import { selectBooks } from "../shelving/selecting-books.js";
import { selectSeries } from "../shelving/selecting.js";
import type { Shelf } from "../shelving/shelf.js";
import type { ShelvedSeries } from "../shelving/shelved-series.js";
import { bookQuery, common, pagingOf, root, seriesParams, seriesQuery } from "./queries.js";

export interface SeriesSources {
  readonly shelf: Shelf;
  readonly books: Books;
  readonly reading: ReadingContract;
}

/** Lists of series for a start page; their order is fixed. */
const startLists = [
  ["new", "created", "Series that were added last"],
  ["updated", "lastModified", "Series that got books last"],
  ["latest", "lastModified", "Series that got books last"],
] as const;

export function seriesRoutes(sources: SeriesSources): Route[] {
  return [listRoute(sources), ...startLists.map((list) => startRoute(sources, list)), ...singleRoutes(sources)];
}

function listRoute(sources: SeriesSources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/series`,
    summary: "Series, filtered and sorted",
    query: seriesQuery,
    response: pageSchema(seriesSchema),
    handle: ({ query, viewer }) => answer(sources, query, viewer),
  });
}

function startRoute(sources: SeriesSources, [name, property, summary]: (typeof startLists)[number]): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/series/${name}`,
    summary,
    query: seriesQuery,
    response: pageSchema(seriesSchema),
    handle: ({ query, viewer }) => answer(sources, { ...query, sort: [{ property, isDescending: true }] }, viewer),
  });
}

function singleRoutes(sources: SeriesSources): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/series/{seriesId}`,
      summary: "One series",
      params: seriesParams,
      response: seriesSchema,
      async handle({ params, viewer }) {
        const series = await getSeries(sources.shelf, params.seriesId, viewer);
        return seriesDocument(series, await sources.reading.find(viewer, series.bookIds));
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/series/{seriesId}/books`,
      summary: "The books of a series, in reading order",
      params: seriesParams,
      query: bookQuery,
      response: pageSchema(bookSchema),
      async handle({ params, query, viewer }) {
        const { id } = await getSeries(sources.shelf, params.seriesId, viewer);
        const books = await sources.books.ofSeries(id, viewer);
        const selected = await selectBooks(books, query, { reading: sources.reading, viewer });
        return answerBooks(sources.books, cut(selected, pagingOf(query)), { paging: pagingOf(query), viewer });
      },
    }),
  ];
}

/** @throws {SeriesNotFound} also for hidden ones, and for those without books */
export async function getSeries(shelf: Shelf, seriesId: number, viewer: Viewer): Promise<ShelvedSeries> {
  const series = (await shelf.get(viewer)).byId.get(seriesId);
  if (!series) throw new SeriesNotFound(String(seriesId));
  return series;
}

/** @param sources - `among`: the series to choose from, when they are not all */
export async function answer(
  sources: SeriesSources & { readonly among?: readonly ShelvedSeries[] },
  query: z.output<typeof seriesQuery>,
  viewer: Viewer,
) {
  const all = sources.among ?? (await sources.shelf.get(viewer)).all;
  const selected = await selectSeries(all, query, { reading: sources.reading, viewer });
  const paging = pagingOf(query);
  const { content, totalElements } = cut(selected, paging);
  return wrap({ content: await documents(sources, content, viewer), totalElements }, paging);
}

async function documents(
  { reading }: SeriesSources,
  series: readonly ShelvedSeries[],
  viewer: Viewer,
): Promise<SeriesDocument[]> {
  const states = await reading.find(
    viewer,
    series.flatMap(({ bookIds }) => bookIds),
  );
  const stateOf = new Map(states.map((state) => [state.issueId, state]));
  return series.map((one) =>
    seriesDocument(
      one,
      one.bookIds.flatMap((id) => stateOf.get(id) ?? []),
    ),
  );
}

export async function answerBooks(
  books: Books,
  part: PageOf<PlacedBook>,
  { paging, viewer }: { readonly paging: Paging; readonly viewer: Viewer },
) {
  const content = await books.documents(part.content, viewer);
  return wrap({ content, totalElements: part.totalElements }, paging);
}

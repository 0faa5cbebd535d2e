import { defineRoute, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { bookFields, booksWhere, type BookConditionSources } from "../conditions/book-conditions.js";
import { everything, readCondition, type Fields } from "../conditions/condition.js";
import { seriesFields, seriesWhere } from "../conditions/series-conditions.js";
import { bookSchema } from "../documents/book.js";
import { cut, pageSchema } from "../documents/common.js";
import { seriesSchema } from "../documents/series.js";
import { bookQuery, common, pagingOf, pagingQuery, root, seriesQuery } from "./queries.js";
import { orderBooks, type BookRouteSources } from "./book-routes.js";
import { answer, answerBooks, type SeriesSources } from "./series-routes.js";

const searchSchema = z.object({
  /** Nested objects of `allOf`, `anyOf`, and fields with operators. */
  condition: z.unknown().optional(),
  fullTextSearch: z.string().max(300).nullish(),
});

const bodyLimitBytes = 64 * 1024;

/** Komga's search by conditions, which its newer apps use instead of the parameters of the lists. */
export function searchRoutes(sources: SeriesSources & BookRouteSources & BookConditionSources): Route[] {
  return [seriesRoute(sources), bookRoute(sources)];
}

/** Without a condition everything is found. */
const conditionOf = ({ condition }: z.output<typeof searchSchema>, fields: Fields) =>
  condition === undefined || condition === null ? everything : readCondition(condition, fields);

function seriesRoute(sources: SeriesSources): Route {
  return defineRoute({
    ...common,
    method: "POST",
    path: `${root}/series/list`,
    summary: "Series for which a condition holds",
    query: pagingQuery,
    body: searchSchema,
    bodyLimitBytes,
    response: pageSchema(seriesSchema),
    async handle({ query, body, viewer }) {
      const { all } = await sources.shelf.get(viewer);
      const among = await seriesWhere(all, conditionOf(body, seriesFields), { reading: sources.reading, viewer });
      const search = body.fullTextSearch ?? "";
      return answer({ ...sources, among }, { ...seriesQuery.parse({}), ...query, search }, viewer);
    },
  });
}

function bookRoute(sources: BookRouteSources & BookConditionSources): Route {
  return defineRoute({
    ...common,
    method: "POST",
    path: `${root}/books/list`,
    summary: "Books for which a condition holds",
    query: pagingQuery,
    body: searchSchema,
    bodyLimitBytes,
    response: pageSchema(bookSchema),
    async handle({ query, body, viewer }) {
      const { all } = await sources.shelf.get(viewer);
      const found = await booksWhere(all, conditionOf(body, bookFields), { ...sources, viewer });
      const wanted = { ...bookQuery.parse({}), ...query };
      const ids = await orderBooks(
        sources,
        await among(found, body.fullTextSearch ?? "", { library: sources.library, viewer }),
        {
          query: wanted,
          viewer,
        },
      );
      const paging = pagingOf(query);
      const { content, totalElements } = cut(ids, paging);
      const books = await sources.books.place(content, viewer);
      return answerBooks(sources.books, { content: books, totalElements }, { paging, viewer });
    },
  });
}

const mostFound = 500;

/** The books among these whose titles have the words of a text. */
async function among(
  ids: readonly number[],
  text: string,
  { library, viewer }: { readonly library: BookRouteSources["library"]; readonly viewer: Viewer },
): Promise<readonly number[]> {
  if (text === "") return ids;
  const found = new Set((await library.searchIssues(text, mostFound, viewer)).map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

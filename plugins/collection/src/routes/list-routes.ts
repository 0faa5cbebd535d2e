import { defineRoute, flagParameter, idParameter, reply, type Route, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import type { SeriesCounts } from "../counting/counts.js";
import type { Facets } from "../series/facets.js";
import type { Libraries } from "../libraries/libraries.js";
import type { ListAnswers } from "../answers/list-answers.js";
import { checkFilter, sorts, type SeriesSelection } from "../series/series-selection.js";
import { countsSchema, seriesRowSchema } from "../answers/shapes.js";

const count = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);
const narrowing = {
  search: z.string().max(500).optional(),
  library: idParameter.optional(),
  collections: flagParameter.optional(),
  facet: z.string().max(10_000).optional(),
};
const listQuery = z.object({
  ...narrowing,
  filter: z.string().max(64).optional(),
  publisher: z.string().max(500).optional(),
  sort: z.enum(sorts).default("title"),
  limit: count.pipe(z.number().min(1).max(1000)).optional(),
  offset: count.default(0),
});
const catalogQuery = z.object({
  search: z.string().max(500).optional(),
  sort: z.enum(sorts).default("title"),
  limit: count.pipe(z.number().min(1).max(1000)).optional(),
  offset: count.default(0),
});

export interface ListRouteParts {
  readonly libraries: Libraries;
  readonly counts: SeriesCounts;
  readonly answers: ListAnswers;
  readonly facets: Facets;
}

export function listRoutes({ libraries, counts, answers, facets }: ListRouteParts): Route[] {
  const types = () => libraries.types.list().map(({ id }) => id);
  const narrow = async (
    query: {
      search?: string | undefined;
      library?: number | undefined;
      collections?: boolean | undefined;
      facet?: string | undefined;
    },
    request: RouteRequest,
  ): Promise<SeriesSelection> => {
    const { facet, ...rest } = query;
    if (rest.library !== undefined) await libraries.get(rest.library, request.viewer);
    return facet === undefined ? rest : { ...rest, among: await facets.resolve(facet, request.viewer) };
  };
  return [
    defineRoute({
      method: "GET",
      path: "/api/collection",
      summary: "List the tracked series",
      description:
        "Filters: all, incomplete, complete, followed, monitored, unmonitored, ongoing, ended, problems, unmatched, or a library type. Search: words, each as a prefix, and issue numbers written as #12. The number of all matching series is in X-Total-Count.",
      query: listQuery,
      response: z.array(seriesRowSchema),
      handle: async (request) => {
        const { sort, limit, offset, filter, publisher, ...rest } = request.query;
        checkFilter(filter, types());
        return answers.answer(
          { ...(await narrow(rest, request)), filter, publisher },
          { sort, limit, offset },
          request.viewer,
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/collection/counts",
      summary: "Count the tracked series by filter",
      query: z.object(narrowing),
      response: countsSchema,
      handle: async (request) =>
        reply.json(await counts.read(await narrow(request.query, request), types(), request.viewer)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/series",
      summary: "List every series that is known, tracked or not",
      query: catalogQuery,
      response: z.array(seriesRowSchema),
      handle: ({ query: { search, ...range }, viewer }) => answers.answer({ search, catalog: true }, range, viewer),
    }),
  ];
}

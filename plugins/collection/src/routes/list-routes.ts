import { defineRoute, flagParameter, idParameter, reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { SeriesCounts } from "../counting/counts.js";
import type { TitleLetters } from "../series/letters.js";
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
  readonly letters: TitleLetters;
}

export function listRoutes(parts: ListRouteParts): Route[] {
  return [listRoute(parts), countsRoute(parts), lettersRoute(parts), catalogRoute(parts)];
}

const typesOf = (libraries: Libraries): string[] => libraries.types.list().map(({ id }) => id);

interface NarrowingQuery {
  readonly search?: string | undefined;
  readonly library?: number | undefined;
  readonly collections?: boolean | undefined;
  readonly facet?: string | undefined;
}

async function narrow(
  { libraries, facets }: ListRouteParts,
  { facet, ...rest }: NarrowingQuery,
  viewer: Viewer,
): Promise<SeriesSelection> {
  if (rest.library !== undefined) await libraries.get(rest.library, viewer);
  return facet === undefined ? rest : { ...rest, ...(await facets.resolve(facet, viewer)) };
}

function listRoute(parts: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/collection",
    summary: "List the tracked series",
    description:
      "Filters: all, incomplete, complete, followed, monitored, unmonitored, ongoing, ended, problems, unmatched, or a library type. Search: words, each as a prefix, and issue numbers written as #12. The number of all matching series is in X-Total-Count.",
    query: listQuery,
    response: z.array(seriesRowSchema),
    handle: async ({ query, viewer }) => {
      const { sort, limit, offset, filter, publisher, ...rest } = query;
      checkFilter(filter, typesOf(parts.libraries));
      return parts.answers.answer(
        { ...(await narrow(parts, rest, viewer)), filter, publisher },
        { sort, limit, offset },
        viewer,
      );
    },
  });
}

function countsRoute(parts: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/collection/counts",
    summary: "Count the tracked series by filter",
    query: z.object(narrowing),
    response: countsSchema,
    handle: async ({ query, viewer }) =>
      reply.json(await parts.counts.read(await narrow(parts, query, viewer), typesOf(parts.libraries), viewer)),
  });
}

const lettersSchema = z.array(z.object({ letter: z.string(), offset: z.number().int() }));
export type Letters = z.output<typeof lettersSchema>;

function lettersRoute(parts: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/collection/letters",
    summary: "Where each letter begins in the list of tracked series by title",
    description:
      "`offset` is that of `GET /api/collection?sort=title` with the same filters; `#` stands for digits and signs.",
    query: z.object({ ...narrowing, filter: z.string().max(64).optional() }),
    response: lettersSchema,
    async handle({ query: { filter, ...rest }, viewer }) {
      checkFilter(filter, typesOf(parts.libraries));
      return [...(await parts.letters.find({ ...(await narrow(parts, rest, viewer)), filter }, viewer))];
    },
  });
}

function catalogRoute(parts: ListRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/series",
    summary: "List all known series, tracked or not",
    query: catalogQuery,
    response: z.array(seriesRowSchema),
    handle: ({ query: { search, ...range }, viewer }) => parts.answers.answer({ search, catalog: true }, range, viewer),
  });
}

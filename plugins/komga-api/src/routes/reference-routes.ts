import { defineRoute, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { authorSchema, instant, pageSchema, wrap } from "../documents/common.js";
import { CollectionNotFound } from "../komga-errors.js";
import type { Shelf } from "../shelving/shelf.js";
import type { ShelvedSeries } from "../shelving/shelved-series.js";
import { common, pagingOf, pagingQuery, root, secondRoot } from "./queries.js";

/** Values that one answer lists at most. */
const mostValues = 5000;

/** What apps filter by, their account, and collections. */
export function referenceRoutes(shelf: Shelf): Route[] {
  const names = (path: string, summary: string, valuesOf: (series: ShelvedSeries) => readonly string[]) =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/${path}`,
      summary,
      response: z.array(z.string()),
      handle: async ({ viewer }) => distinct((await shelf.get(viewer)).all.flatMap(valuesOf)),
    });
  // Apps ask for these when they start: they do not wait until every series has been read.
  const none = (path: string, summary: string) =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/${path}`,
      summary,
      response: z.array(z.string()),
      handle: () => [],
    });
  return [
    names("genres", "Genres and topics of books", ({ genres }) => genres),
    names("tags", "Story arcs of books", ({ tags }) => tags),
    none("tags/series", "Tags of series: there are none"),
    names("tags/book", "Story arcs of books", ({ tags }) => tags),
    names("publishers", "Publishers", ({ publisher }) => [publisher]),
    names("languages", "Languages", ({ language }) => [language]),
    none("age-ratings", "Age ratings: there are none"),
    none("sharing-labels", "Sharing labels: there are none"),
    authorsRoute(shelf),
    accountRoute(),
    ...collectionRoutes(),
  ];
}

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values.filter((value) => value !== ""))].sort().slice(0, mostValues);

function authorsRoute(shelf: Shelf): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${root}/authors`,
    summary: "People who made the books, with their roles",
    query: z.object({ search: z.string().max(300).default(""), role: z.string().max(100).default("") }),
    response: z.array(authorSchema),
    handle: async ({ query, viewer }) => {
      const search = query.search.toLowerCase();
      const { all } = await shelf.get(viewer);
      const found = all
        .flatMap(({ authors }) => authors)
        .filter(({ name, role }) => name.toLowerCase().includes(search) && (query.role === "" || role === query.role));
      return [...new Map(found.map((author) => [`${author.name}\0${author.role}`, author])).values()]
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .slice(0, mostValues);
    },
  });
}

const accountSchema = z.object({
  id: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  sharedAllLibraries: z.boolean(),
  sharedLibrariesIds: z.array(z.string()),
  labelsAllow: z.array(z.string()),
  labelsExclude: z.array(z.string()),
});

function accountRoute(): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${secondRoot}/users/me`,
    summary: "The account, by which apps check a sign-in",
    response: accountSchema,
    handle: ({ viewer }) => accountOf(viewer),
  });
}

/** Komga knows accounts by e-mail addresses; apps only show this text. */
const accountOf = ({ user }: Viewer) => ({
  id: String(user.id),
  email: user.username,
  roles: ["USER", "FILE_DOWNLOAD", "PAGE_STREAMING"],
  sharedAllLibraries: true,
  sharedLibrariesIds: [],
  labelsAllow: [],
  labelsExclude: [],
});

const collectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  ordered: z.boolean(),
  seriesIds: z.array(z.string()),
  createdDate: instant,
  lastModifiedDate: instant,
  filtered: z.boolean(),
});

/** Collections are sets of series, which this server does not have: the list is empty. */
function collectionRoutes(): Route[] {
  const missing = (path: string) =>
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/collections/{collectionId}${path}`,
      summary: "Not found: there are no collections",
      params: z.object({ collectionId: z.string().max(100) }),
      handle({ params }) {
        throw new CollectionNotFound(params.collectionId);
      },
    });
  const list = defineRoute({
    ...common,
    method: "GET",
    path: `${root}/collections`,
    summary: "Collections of series: there are none",
    query: pagingQuery,
    response: pageSchema(collectionSchema),
    handle: ({ query }) => wrap({ content: [], totalElements: 0 }, pagingOf(query)),
  });
  return [list, missing(""), missing("/series"), missing("/thumbnail")];
}

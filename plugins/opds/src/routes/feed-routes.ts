import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import { atomBase, jsonBase } from "../addresses.js";
import { atomFeed, atomTypes } from "../atom/atom-feed.js";
import { openSearchDescription, openSearchType } from "../atom/open-search.js";
import type { Catalog } from "../catalog/catalog.js";
import type { CatalogFeed } from "../catalog/catalog-feed.js";
import type { Asked } from "../catalog/making-feeds.js";
import type { Identifiers } from "../identifiers.js";
import { feedType, jsonFeed } from "../json/json-feed.js";
import { common, json, originOf, pageQuery, xml } from "./answers.js";

const text = z.string().trim().max(200).default("");
/** All query parameters of feeds; each feed uses its own. */
const querySchema = z.object({
  page: pageQuery,
  name: z.string().max(2000).default(""),
  q: text,
  query: text,
  show: z.enum(["all", "unread", "read"]).default("all"),
});
const name = z.string().max(64);
const parameters = { id: idParameter, shelf: name, list: name };

interface FeedRequest extends Asked {
  readonly params: { readonly id: number; readonly shelf: string; readonly list: string };
  readonly query: z.output<typeof querySchema>;
}

interface Sources {
  readonly catalog: Catalog;
  readonly identifiers: Identifiers;
}

interface Feed {
  readonly path: "" | `/${string}`;
  readonly summary: string;
  read(catalog: Catalog, request: FeedRequest): Promise<CatalogFeed>;
}

const feeds: readonly Feed[] = [
  { path: "", summary: "The root of the catalog", read: (catalog, asked) => catalog.root(asked) },
  {
    path: "/continue",
    summary: "Issues in progress",
    read: (catalog, asked) => catalog.continueReading(asked),
  },
  {
    path: "/later",
    summary: "Issues on the read-later shelf",
    read: (catalog, asked) => catalog.readLater(asked),
  },
  { path: "/new", summary: "The newest issues", read: (catalog, asked) => catalog.recentlyAdded(asked) },
  { path: "/series", summary: "All series", read: (catalog, asked) => catalog.allSeries(asked) },
  {
    path: "/series/{id}",
    summary: "The issues of a series",
    read: (catalog, asked) => catalog.series(asked, asked.params.id, asked.query.show),
  },
  { path: "/publishers", summary: "Publishers", read: (catalog, asked) => catalog.publishers(asked) },
  {
    path: "/publisher",
    summary: "The series of a publisher",
    read: (catalog, asked) => catalog.publisher(asked, asked.query.name),
  },
  { path: "/libraries", summary: "Libraries", read: (catalog, asked) => catalog.libraries(asked) },
  {
    path: "/libraries/{id}",
    summary: "The series of a library",
    read: (catalog, asked) => catalog.ofLibrary(asked, asked.params.id),
  },
  { path: "/books", summary: "Series of books", read: (catalog, asked) => catalog.ofType(asked, "ebook") },
  {
    path: "/audiobooks",
    summary: "Series of audiobooks",
    read: (catalog, asked) => catalog.ofType(asked, "audiobook"),
  },
  {
    path: "/shelves/{shelf}",
    summary: "A shelf that another plugin adds",
    read: (catalog, asked) => catalog.added.read(asked, asked.params.shelf),
  },
  {
    path: "/shelves/{shelf}/{list}",
    summary: "A list on a shelf that another plugin adds",
    read: (catalog, asked) => catalog.added.readList(asked, asked.params.shelf, asked.params.list),
  },
  { path: "/search", summary: "Search the library", read: searched },
];

/** People type the address with a slash at its end. */
const rootWithSlash: Feed = {
  path: "/",
  summary: "The root of the catalog, with a slash",
  read: (catalog, asked) => catalog.root(asked),
};

/** Each feed in both versions of OPDS. */
export function feedRoutes(sources: Sources): Route[] {
  const inBoth = (feed: Feed) => [atomRoute(feed, sources), jsonRoute(feed, sources)];
  return [...feeds.flatMap(inBoth), ...inBoth(rootWithSlash), openSearchRoute(sources)];
}

function atomRoute(feed: Feed, { catalog, identifiers }: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${atomBase}${feed.path}`,
    summary: `${feed.summary} (OPDS 1.2)`,
    params: paramsOf(feed),
    query: querySchema,
    responseType: "application/atom+xml",
    handle: async (request) => {
      const read = await feed.read(catalog, asked(request));
      return xml(
        atomFeed(read, { identifiers, origin: originOf(request), base: atomBase }),
        `${atomTypes[read.kind]};charset=utf-8`,
      );
    },
  });
}

function jsonRoute(feed: Feed, { catalog, identifiers }: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${jsonBase}${feed.path}`,
    summary: `${feed.summary} (OPDS 2.0)`,
    params: paramsOf(feed),
    query: querySchema,
    responseType: feedType,
    handle: async (request) =>
      json(
        jsonFeed(await feed.read(catalog, asked(request)), { identifiers, origin: originOf(request), base: jsonBase }),
        feedType,
      ),
  });
}

function openSearchRoute({ identifiers }: Sources): Route {
  return defineRoute({
    ...common,
    method: "GET",
    path: `${atomBase}/opensearch.xml`,
    summary: "How to search the catalog (OpenSearch)",
    responseType: openSearchType,
    handle: (request) =>
      xml(openSearchDescription({ identifiers, origin: originOf(request), base: atomBase }), openSearchType),
  });
}

/** A feed reads no other parameters than its path has. */
function paramsOf(feed: Feed): z.ZodType<FeedRequest["params"]> {
  const shape = Object.fromEntries(Object.entries(parameters).filter(([key]) => feed.path.includes(`{${key}}`)));
  // The shape is chosen at run time; the parameters of a feed are typed as all of them, optional.
  return z.object(shape) as unknown as z.ZodType<FeedRequest["params"]>;
}

function asked({
  viewer,
  query,
  params,
}: {
  readonly viewer: Asked["viewer"];
  readonly query: z.output<typeof querySchema>;
  readonly params: FeedRequest["params"];
}): FeedRequest {
  return { viewer, page: query.page, query, params };
}

function searched(catalog: Catalog, asked: FeedRequest): Promise<CatalogFeed> {
  const { q, query } = asked.query;
  const parameters = new URLSearchParams(q === "" ? { query } : { q });
  return catalog.search(asked, q === "" ? query : q, `/search?${parameters}`);
}

import { feedAddress, type Addresses } from "../addresses.js";
import {
  lastPage,
  pagePath,
  type CatalogFeed,
  type CatalogPath,
  type Facet,
  type NavigationEntry,
} from "../catalog/catalog-feed.js";
import { publicationDocument } from "./publication.js";

export const feedType = "application/opds+json";

interface Link {
  readonly href: string;
  readonly rel?: string | readonly string[];
  readonly type?: string;
  readonly title?: string;
  readonly templated?: true;
  readonly properties?: Record<string, unknown>;
}

/** Serialises a feed as OPDS 2.0. The schema allows no empty list, so an empty feed contains a link back. */
export function jsonFeed(feed: CatalogFeed, addresses: Addresses): Record<string, unknown> {
  const isEmpty = feed.navigation.length === 0 && feed.publications.length === 0;
  const navigation = isEmpty ? [wayBack(addresses)] : feed.navigation.map((entry) => navigationLink(entry, addresses));
  return {
    metadata: feedMetadata(feed),
    links: [...feedLinks(feed, addresses), ...pagingLinks(feed, addresses)],
    ...(feed.facets.length > 0 && { facets: facetGroups(feed.facets, addresses) }),
    ...(navigation.length > 0 && { navigation }),
    ...(feed.publications.length > 0 && {
      publications: feed.publications.map((publication) => publicationDocument(publication, addresses)),
    }),
  };
}

function feedMetadata({ title, updatedAt, paging }: CatalogFeed): Record<string, unknown> {
  return {
    title,
    modified: updatedAt,
    ...(paging && { numberOfItems: paging.total, itemsPerPage: paging.size, currentPage: paging.page }),
  };
}

function feedLinks(feed: CatalogFeed, addresses: Addresses): Link[] {
  const to = (path: CatalogPath) => feedAddress(addresses, path);
  return [
    { rel: "self", href: to(pagePath(feed, feed.paging?.page ?? 1)), type: feedType },
    { rel: "start", href: to(""), type: feedType },
    ...(feed.up === undefined ? [] : [{ rel: "up", href: to(feed.up), type: feedType }]),
    ...(feed.path === "" ? [{ rel: "http://opds-spec.org/shelf", href: to("/continue"), type: feedType }] : []),
    { rel: "search", href: `${to("/search")}{?query}`, type: feedType, templated: true },
  ];
}

function pagingLinks(feed: CatalogFeed, addresses: Addresses): Link[] {
  const page = feed.paging?.page ?? 1;
  const last = lastPage(feed);
  if (last === 1) return [];
  const places: ReadonlyArray<readonly [relation: string, page: number]> = [
    ["first", 1],
    ["previous", page - 1],
    ["next", page + 1],
    ["last", last],
  ];
  return places
    .filter(([, number]) => number >= 1 && number <= last)
    .map(([rel, number]) => ({ rel, href: feedAddress(addresses, pagePath(feed, number)), type: feedType }));
}

function facetGroups(facets: readonly Facet[], addresses: Addresses): unknown[] {
  const groups = [...new Set(facets.map((facet) => facet.group))];
  return groups.map((group) => ({
    metadata: { title: group },
    links: facets.filter((facet) => facet.group === group).map((facet) => facetLink(facet, addresses)),
  }));
}

function facetLink(facet: Facet, addresses: Addresses): Link {
  return {
    href: feedAddress(addresses, facet.path),
    type: feedType,
    title: facet.title,
    ...(facet.active && { rel: "self" }),
    properties: { numberOfItems: facet.count },
  };
}

function navigationLink(entry: NavigationEntry, addresses: Addresses): Link {
  return {
    href: feedAddress(addresses, entry.path),
    title: entry.title,
    type: feedType,
    rel: entry.relation ?? "subsection",
  };
}

function wayBack(addresses: Addresses): Link {
  return {
    href: feedAddress(addresses, ""),
    title: "Nothing here: back to the start",
    type: feedType,
    rel: "subsection",
  };
}

import { coverAddress, feedAddress, fileAddress, jsonBase, pageAddress, type Addresses } from "../addresses.js";
import {
  lastPage,
  pagePath,
  type CatalogFeed,
  type CatalogPath,
  type Facet,
  type FeedKind,
  type NavigationEntry,
  type Publication,
} from "../catalog/catalog-feed.js";
import { dateOf } from "../dates.js";
import { tidyFileName, workTitle } from "../file-names.js";
import { lengthOf } from "../type-words.js";
import { element, xmlDocument, type Xml } from "./xml.js";

const namespaces = {
  xmlns: "http://www.w3.org/2005/Atom",
  "xmlns:opds": "http://opds-spec.org/2010/catalog",
  "xmlns:dc": "http://purl.org/dc/terms/",
  "xmlns:thr": "http://purl.org/syndication/thread/1.0",
  "xmlns:pse": "http://vaemendis.net/opds-pse/ns",
  "xmlns:opensearch": "http://a9.com/-/spec/opensearch/1.1/",
};

/** The exact media types of OPDS 1.2. */
export const atomTypes: Record<FeedKind, string> = {
  navigation: "application/atom+xml;profile=opds-catalog;kind=navigation",
  acquisition: "application/atom+xml;profile=opds-catalog;kind=acquisition",
};

/** Writes a feed as OPDS 1.2. */
export function atomFeed(feed: CatalogFeed, addresses: Addresses): string {
  return xmlDocument(
    element(
      "feed",
      namespaces,
      element("id", {}, addresses.identifiers.of(feed.name)),
      element("title", {}, feed.title),
      element("updated", {}, feed.updatedAt),
      element("author", {}, element("name", {}, "Longbox")),
      ...feedLinks(feed, addresses),
      ...pagingElements(feed, addresses),
      ...feed.facets.map((facet) => facetLink(facet, addresses)),
      ...feed.navigation.map((entry) => navigationEntry(entry, addresses)),
      ...feed.publications.map((publication) => publicationEntry(publication, addresses)),
    ),
  );
}

function feedLinks(feed: CatalogFeed, addresses: Addresses): Xml[] {
  const to = (path: CatalogPath) => feedAddress(addresses, path);
  return [
    link("self", to(pagePath(feed, feed.paging?.page ?? 1)), atomTypes[feed.kind]),
    link("start", to(""), atomTypes.navigation),
    ...(feed.up === undefined ? [] : [link("up", to(feed.up), atomTypes.navigation)]),
    link("search", to("/opensearch.xml"), "application/opensearchdescription+xml"),
    ...(feed.path === ""
      ? [
          // Some apps read no OpenSearch description.
          link("search", `${to("/search")}?q={searchTerms}`, atomTypes.acquisition),
          link("http://opds-spec.org/shelf", to("/continue"), atomTypes.acquisition),
          link("alternate", `${addresses.origin}${jsonBase}`, "application/opds+json"),
        ]
      : []),
  ];
}

function pagingElements(feed: CatalogFeed, addresses: Addresses): Xml[] {
  if (!feed.paging) return [];
  const { page, size, total } = feed.paging;
  const last = lastPage(feed);
  const at = (relation: string, number: number) =>
    link(relation, feedAddress(addresses, pagePath(feed, number)), atomTypes[feed.kind]);
  return [
    element("opensearch:totalResults", {}, String(total)),
    element("opensearch:itemsPerPage", {}, String(size)),
    element("opensearch:startIndex", {}, String((page - 1) * size + 1)),
    ...(last > 1 ? [at("first", 1), at("last", last)] : []),
    ...(page > 1 ? [at("previous", page - 1)] : []),
    ...(page < last ? [at("next", page + 1)] : []),
  ];
}

function facetLink(facet: Facet, addresses: Addresses): Xml {
  return element("link", {
    rel: "http://opds-spec.org/facet",
    href: feedAddress(addresses, facet.path),
    type: atomTypes.acquisition,
    title: facet.title,
    "opds:facetGroup": facet.group,
    "opds:activeFacet": facet.active ? "true" : undefined,
    "thr:count": facet.count,
  });
}

function navigationEntry(entry: NavigationEntry, addresses: Addresses): Xml {
  return element(
    "entry",
    {},
    element("id", {}, addresses.identifiers.of(entry.name)),
    element("title", {}, entry.title),
    element("updated", {}, entry.updatedAt),
    entry.summary === undefined ? undefined : element("content", { type: "text" }, entry.summary),
    link(entry.relation ?? "subsection", feedAddress(addresses, entry.path), atomTypes[entry.leadsTo]),
    ...(entry.cover === undefined ? [] : imageLinks(`${addresses.origin}${entry.cover}?w=`)),
  );
}

function publicationEntry(publication: Publication, addresses: Addresses): Xml {
  const { issue, file } = publication;
  const issued = dateOf(issue.coverDate);
  return element(
    "entry",
    {},
    element("id", {}, addresses.identifiers.of(publication.name)),
    element("title", {}, workTitle(issue)),
    element("updated", {}, issue.addedAt),
    ...(publication.contributors.author ?? []).map((name) => element("author", {}, element("name", {}, name))),
    issue.publisher === undefined ? undefined : element("dc:publisher", {}, issue.publisher),
    issue.language === undefined ? undefined : element("dc:language", {}, issue.language),
    issued === undefined ? undefined : element("dc:issued", {}, issued),
    element("summary", { type: "text" }, summaryOf(publication)),
    publication.description === undefined ? undefined : element("content", { type: "text" }, publication.description),
    ...(!publication.hasCover ? [] : imageLinks(coverAddress(addresses, issue.cvIssueId, 0).slice(0, -1))),
    element("link", {
      rel: "http://opds-spec.org/acquisition",
      href: fileAddress(addresses, issue.cvIssueId, tidyFileName(issue, file.name)),
      type: file.contentType,
      length: file.sizeBytes > 0 ? file.sizeBytes : undefined,
    }),
    streamLink(publication, addresses),
  );
}

/** Page streaming: pages are counted from 0 in the address, the last page read from 1. */
function streamLink({ issue, pages, progress }: Publication, addresses: Addresses): Xml | undefined {
  if (pages === 0) return undefined;
  const lastRead = progress?.places.page;
  return element("link", {
    rel: "http://vaemendis.net/opds-pse/stream",
    type: "image/jpeg",
    href: `${pageAddress(addresses, issue.cvIssueId, "{pageNumber}")}?w={maxWidth}`,
    "pse:count": pages,
    "pse:lastRead": lastRead ? Math.min(pages, lastRead.page + 1) : undefined,
    "pse:lastReadDate": lastRead ? progress?.at : undefined,
  });
}

function imageLinks(addressUpToWidth: string): Xml[] {
  return [
    link("http://opds-spec.org/image", `${addressUpToWidth}1200`, "image/jpeg"),
    link("http://opds-spec.org/image/thumbnail", `${addressUpToWidth}320`, "image/jpeg"),
  ];
}

/** `The Lamp · 21 pages`, `Low Tides, book 2 · 9 hours 12 minutes` */
function summaryOf({ issue, words }: Publication): string {
  const parts = [issue.label.within, lengthOf(issue, words)];
  return parts.filter((part) => part !== undefined).join(" · ") || workTitle(issue);
}

function link(rel: string, href: string, type: string): Xml {
  return element("link", { rel, href, type });
}

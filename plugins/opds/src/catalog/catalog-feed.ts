import type { Issue, LibraryTypeWords } from "@longbox/collection/contract";
import type { WholeFile } from "@longbox/files/contract";
import type { ReadingState } from "@longbox/reading/contract";
import type { Contributors } from "./contributors.js";

/** Whether entries lead to other feeds, or are publications: OPDS 1.2 allows no mixture. */
export type FeedKind = "navigation" | "acquisition";

/** An address inside the catalog, below its root: `/series/12?page=2`; the root itself is "". */
export type CatalogPath = "" | `/${string}`;

export interface NavigationEntry {
  /** Permanent and unique in this catalog; the server's identity makes a URN of it. */
  readonly name: string;
  readonly title: string;
  readonly path: CatalogPath;
  readonly leadsTo: FeedKind;
  readonly updatedAt: string;
  readonly summary?: string | undefined;
  /** A path of this server, to a JPEG. */
  readonly cover?: string | undefined;
  /** The OPDS 1.2 link relation of the feed. */
  readonly relation?: "http://opds-spec.org/sort/new" | undefined;
}

export interface Publication {
  readonly name: string;
  readonly issue: Issue;
  readonly file: WholeFile;
  /** The words of its library type. */
  readonly words: LibraryTypeWords;
  readonly contributors: Contributors;
  readonly arcs: readonly string[];
  /** Without markup. */
  readonly description: string | undefined;
  /** Pages that can be streamed; 0 when the work has none, or when no plugin provides them. */
  readonly pages: number;
  readonly hasCover: boolean;
  /** The viewer's progress; undefined when the issue was not started. */
  readonly progress: ReadingState | undefined;
}

export interface Facet {
  readonly group: string;
  readonly title: string;
  readonly path: CatalogPath;
  readonly count: number;
  readonly active: boolean;
}

/** One feed, before it is serialised as Atom or JSON. */
export interface CatalogFeed {
  readonly name: string;
  readonly title: string;
  readonly kind: FeedKind;
  /** Without the page number. */
  readonly path: CatalogPath;
  readonly up: CatalogPath | undefined;
  readonly updatedAt: string;
  /** Present when the feed comes in pages; counted from 1. */
  readonly paging: { readonly page: number; readonly size: number; readonly total: number } | undefined;
  readonly facets: readonly Facet[];
  readonly navigation: readonly NavigationEntry[];
  readonly publications: readonly Publication[];
}

export function pagePath(feed: Pick<CatalogFeed, "path">, page: number): CatalogPath {
  if (page === 1) return feed.path;
  return `${feed.path}${feed.path.includes("?") ? "&" : "?"}page=${page}` as CatalogPath;
}

export function lastPage({ paging }: Pick<CatalogFeed, "paging">): number {
  return paging ? Math.max(1, Math.ceil(paging.total / paging.size)) : 1;
}

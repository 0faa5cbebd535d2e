import type { Viewer } from "@longbox/sdk";
import { PageNotFound } from "../opds-errors.js";
import { lastPage, type CatalogFeed } from "./catalog-feed.js";

/** Entries on one page of a feed. */
export const pageSize = 50;
/** Used where the time of the last change is unknown. */
export const longAgo = "2020-01-01T00:00:00.000Z";

export interface Asked {
  readonly viewer: Viewer;
  /** Counted from 1. */
  readonly page: number;
}

/** The required fields of a feed. */
export type Part = Partial<CatalogFeed> & Pick<CatalogFeed, "name" | "title" | "kind" | "path">;

/** Completes a feed. @throws {PageNotFound} when it has no page of this number */
export function feed(part: Part): CatalogFeed {
  const { navigation = [], publications = [] } = part;
  const times = [...navigation.map((entry) => entry.updatedAt), ...publications.map(({ issue }) => issue.addedAt)];
  const updatedAt = times.reduce((one, other) => (one > other ? one : other), part.updatedAt ?? longAgo);
  const full: CatalogFeed = { paging: undefined, facets: [], up: "", ...part, updatedAt, navigation, publications };
  if (full.paging && full.paging.page > lastPage(full)) throw new PageNotFound(full.paging.page, lastPage(full));
  return full;
}

export function range({ page }: Asked): { limit: number; offset: number } {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}

export function pageOf<T>(all: readonly T[], page: number): T[] {
  return all.slice((page - 1) * pageSize, page * pageSize);
}

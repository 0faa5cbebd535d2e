import type { KeptShelf } from "@longbox/shelves/api";
import { Address } from "./address.js";

/** The name of a selection among the facets of the collection. */
const facet = "shelves";

/**
 * The selection in the address of the library, where it is one of the facets of `GET /api/collection`:
 * `/library?facet={"shelves":"genre=Mystery"}`. The rest of that address stays as it is.
 *
 * @param href - Path and query of the page
 */
export function libraryAddress(href: string): Address {
  const selection = facetsOf(href)[facet];
  return new Address(typeof selection === "string" ? selection : "", (query) => hrefWith(href, query));
}

/** The library with the selection of a kept shelf. */
export const shelfInLibrary = (shelf: KeptShelf, href: string): Address =>
  Address.of(shelf, (query) => hrefWith(href, query));

/** The library that the page is narrowed to. */
export const libraryOf = (href: string): string | undefined => toUrl(href).searchParams.get("library") ?? undefined;

function hrefWith(href: string, query: string): string {
  const url = toUrl(href);
  const { [facet]: _, ...others } = facetsOf(href);
  const facets = query === "" ? others : { ...others, [facet]: query };
  if (Object.keys(facets).length === 0) url.searchParams.delete("facet");
  else url.searchParams.set("facet", JSON.stringify(facets));
  return url.pathname + url.search;
}

function facetsOf(href: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(toUrl(href).searchParams.get("facet") ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // The page of the library says what is wrong with the address.
    return {};
  }
}

/** The origin does not matter: only path and query are used. */
const toUrl = (href: string): URL => new URL(href, "http://longbox");

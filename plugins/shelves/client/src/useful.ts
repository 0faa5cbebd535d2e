import type { FacetList } from "@longbox/shelves/api";

/** Facets with a single value tell nothing, unless it is chosen. */
const fewestValues = 2;

export function isUseful({ values }: FacetList[number]): boolean {
  return values.length >= fewestValues || values.some(({ selected, excluded }) => selected || excluded);
}
